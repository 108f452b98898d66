import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { SessionUser } from '../api/session.ts';

/**
 * A page, as its folder's `route.ts` exports it. The folders of `src/pages` are the registry: a page needs no entry
 * anywhere else.
 */
export interface PageRoute {
  /** The path as React Router writes it: `/tasks/:id`. */
  path: string;
  /** The page's folder under `src`, whose texts are loaded together with it. */
  folder: `pages/${string}`;
  /** The users that the page is for. `everybody`: all who are signed in; `nobody`: those who are not; `anybody`: both. */
  audience: SessionUser['kind'] | 'everybody' | 'nobody' | 'anybody';
  /** The roles in that audience that see the page; absent: all of them. */
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
