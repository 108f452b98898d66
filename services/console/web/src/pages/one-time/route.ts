import type { PageRoute } from '../../frame/route.ts';

/** `/one-time#<token>`: a link that signs in once. What stands behind the `#` reaches no server and no log. */
export const route: PageRoute = {
  path: '/one-time',
  folder: 'pages/one-time',
  audience: 'anybody',
  load: () => import('./one-time-page.tsx'),
};
