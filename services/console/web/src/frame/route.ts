import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { SessionUser } from '../api/session.ts';

/**
 * A page, as its folder's `route.ts` exports it. The folders of `src/pages` are the registry: a page needs no entry
 * anywhere else.
 */
export interface PageRoute {
  /** As React Router writes them: `/tasks/:id`. */
  path: string;
  /** Under `src`: its texts are loaded together with it. */
  folder: `pages/${string}`;
  /** Whose page it is. `everybody`: of who is signed in; `nobody`: of who is not; `anybody`: of both. */
  audience: SessionUser['kind'] | 'everybody' | 'nobody' | 'anybody';
  /** Of who may see it at all, those with one of these roles; absent: all of them. */
  roles?: readonly string[];
  load(): Promise<{ default: ComponentType }>;
  /** Absent: it is reached by links alone. */
  navigation?: NavigationEntry;
}

export interface NavigationEntry {
  /** A key of `frame/locales`. */
  label: NavigationLabel;
  icon: LucideIcon;
  /** Lower first; hundreds are groups. */
  order: number;
}

export type NavigationLabel = Extract<keyof typeof import('./locales/en.json'), `nav.${string}`>;
