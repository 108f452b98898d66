import { type ComponentType, lazy } from 'react';
import type { SessionUser } from '../api/session.ts';
import { loadTexts } from '../texts/texts.ts';
import type { PageRoute } from './route.ts';

export interface Page extends PageRoute {
  Component: ComponentType;
}

const routes = import.meta.glob<PageRoute>('../pages/*/route.ts', { eager: true, import: 'route' });

/** Every page, in the order of the navigation. Code and texts of a page are loaded when it is first shown. */
const PAGES: readonly Page[] = Object.values(routes).map(pageOf).sort(byOrder);

/** The pages that a user may see; null: who is not signed in. */
export function pagesFor(user: SessionUser | null): readonly Page[] {
  const own = user?.kind ?? 'nobody';
  const audiences: readonly PageRoute['audience'][] = [own, 'anybody', user === null ? own : 'everybody'];
  return PAGES.filter(
    ({ audience, roles }) =>
      audiences.includes(audience) && (roles === undefined || (user !== null && roles.includes(user.role))),
  );
}

function pageOf(route: PageRoute): Page {
  const Component = lazy(async () => {
    const [page] = await Promise.all([route.load(), loadTexts(route.folder)]);
    return page;
  });
  return { ...route, Component };
}

function byOrder(one: PageRoute, other: PageRoute): number {
  return (one.navigation?.order ?? 0) - (other.navigation?.order ?? 0);
}
