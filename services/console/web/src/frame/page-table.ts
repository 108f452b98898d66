import {
  Activity,
  BellRing,
  BookCheck,
  BookOpen,
  Building2,
  ChartColumn,
  Files,
  Fingerprint,
  FlaskConical,
  House,
  KeyRound,
  Layers,
  ListOrdered,
  type LucideIcon,
  Network,
  Scale,
  ScrollText,
  Settings2,
  ShieldQuestion,
  Tags,
  Users,
  Webhook,
} from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import type { SessionUser } from '../api/session.ts';
import { loadTexts } from '../texts/texts.ts';

interface PageRoute {
  /** The path as React Router writes it: `/tasks/:id`. */
  path: string;
  /** The page's folder below `pages`: `books` has `books-page.tsx`, and texts that are loaded together with it. */
  folder: string;
  /** The users that the page is for. `everybody`: all who are signed in; `nobody`: those who are not; `anybody`: both. */
  audience: SessionUser['kind'] | 'everybody' | 'nobody' | 'anybody';
  /** The roles in that audience that see the page; absent: all of them. */
  roles?: readonly string[];
  /** Other pages' folders, whose texts the page shows as well. */
  texts?: readonly string[];
}

/** A page that the navigation leads to. Its name there is the text `nav.<folder>`. */
interface NavigationPage extends PageRoute {
  folder: NavigationFolder;
  icon: LucideIcon;
  /** Pages of one group stand together. */
  group: 'work' | 'money' | 'administration';
}

type FolderOf<Label> = Label extends `nav.${infer Folder}` ? Folder : never;
type NavigationFolder = FolderOf<keyof typeof import('./locales/en.json')>;

export type Page = (PageRoute | NavigationPage) & { Component: ComponentType };

const OPERATORS_AND_OWNERS = ['owner', 'read', 'support', 'billing', 'admin'];

/** Every page, in the order of the navigation; those without an icon are reached by links alone. */
const ROUTES: readonly (PageRoute | NavigationPage)[] = [
  { path: '/', folder: 'now', audience: 'operator', icon: Activity, group: 'work', texts: ['channels'] },
  { path: '/', folder: 'overview', audience: 'account', icon: House, group: 'work' },
  { path: '/tasks', folder: 'support', audience: 'operator', icon: Layers, group: 'work' },
  { path: '/tasks', folder: 'tasks', audience: 'account', icon: Layers, group: 'work' },
  { path: '/channels', folder: 'channels', audience: 'operator', icon: Network, group: 'work' },
  { path: '/quarantine', folder: 'quarantine', audience: 'operator', icon: ShieldQuestion, group: 'work' },
  { path: '/playground', folder: 'playground', audience: 'account', icon: FlaskConical, group: 'work' },
  { path: '/deliveries', folder: 'deliveries', audience: 'operator', icon: Webhook, group: 'work' },
  { path: '/queues', folder: 'queues', audience: 'operator', icon: ListOrdered, group: 'work' },

  { path: '/accounts', folder: 'accounts', audience: 'operator', icon: Building2, group: 'money' },
  { path: '/usage', folder: 'usage', audience: 'account', icon: ChartColumn, group: 'money' },
  { path: '/prices', folder: 'prices', audience: 'operator', icon: Tags, group: 'money' },
  { path: '/ledger', folder: 'ledger', audience: 'account', icon: BookOpen, group: 'money' },
  { path: '/margin', folder: 'margin', audience: 'operator', icon: Scale, group: 'money' },
  { path: '/books', folder: 'books', audience: 'operator', icon: BookCheck, group: 'money' },

  { path: '/log', folder: 'log', audience: 'operator', icon: ScrollText, group: 'administration' },
  { path: '/keys', folder: 'keys', audience: 'account', icon: KeyRound, group: 'administration' },
  { path: '/callbacks', folder: 'callbacks', audience: 'account', icon: Webhook, group: 'administration' },
  { path: '/files', folder: 'files', audience: 'account', icon: Files, group: 'administration' },
  {
    path: '/origin',
    folder: 'origin',
    audience: 'everybody',
    // A viewer sends nothing, and operators learn whose each result is.
    roles: ['owner', 'developer', 'support', 'billing', 'admin'],
    icon: Fingerprint,
    group: 'administration',
  },
  {
    path: '/notices',
    folder: 'notices',
    audience: 'everybody',
    // An account's holders see it as owners only: their key has the right `manage`.
    roles: OPERATORS_AND_OWNERS,
    icon: BellRing,
    group: 'administration',
  },
  {
    path: '/users',
    folder: 'users',
    audience: 'everybody',
    roles: OPERATORS_AND_OWNERS,
    icon: Users,
    group: 'administration',
  },
  { path: '/settings', folder: 'settings', audience: 'operator', icon: Settings2, group: 'administration' },

  { path: '/tasks/:id', folder: 'case', audience: 'operator' },
  { path: '/tasks/:id', folder: 'task', audience: 'account' },
  { path: '/channels/:id', folder: 'channel', audience: 'operator', texts: ['channels'] },
  { path: '/accounts/:id', folder: 'account', audience: 'operator', texts: ['keys'] },
  { path: '/profile', folder: 'profile', audience: 'everybody' },
  // `/invitation#<token>`: whoever was invited, or had a password reset, sets a password.
  { path: '/invitation', folder: 'invitation', audience: 'anybody' },
  // `/one-time#<token>`: a link that signs in once. What stands behind the `#` reaches no server and no log.
  { path: '/one-time', folder: 'one-time', audience: 'anybody' },
  // Whoever is not signed in meets it under every address, and stays there afterwards.
  { path: '*', folder: 'sign-in', audience: 'nobody' },
];

const components = import.meta.glob<ComponentType>('../pages/*/*-page.tsx', { import: 'default' });
const PAGES: readonly Page[] = ROUTES.map((route) => ({ ...route, Component: componentOf(route) }));

/** The pages that a user may see; null: who is not signed in. */
export function pagesFor(user: SessionUser | null): readonly Page[] {
  const own = user?.kind ?? 'nobody';
  const audiences: readonly PageRoute['audience'][] = [own, 'anybody', user === null ? own : 'everybody'];
  return PAGES.filter(
    ({ audience, roles }) =>
      audiences.includes(audience) && (roles === undefined || (user !== null && roles.includes(user.role))),
  );
}

/** Code and texts of a page are loaded when it is first shown. */
function componentOf({ folder, texts = [] }: PageRoute): ComponentType {
  const load = components[`../pages/${folder}/${folder}-page.tsx`];
  if (load === undefined) throw new Error(`${folder} has no page`);
  return lazy(async () => {
    const [component] = await Promise.all([load(), ...[folder, ...texts].map((each) => loadTexts(`pages/${each}`))]);
    return { default: component };
  });
}
