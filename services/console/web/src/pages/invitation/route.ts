import type { PageRoute } from '../../frame/route.ts';

/** `/invitation#<token>`: whoever was invited, or had a password reset, sets a password. */
export const route: PageRoute = {
  path: '/invitation',
  folder: 'pages/invitation',
  audience: 'anybody',
  load: () => import('./invitation-page.tsx'),
};
