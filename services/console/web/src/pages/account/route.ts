import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/accounts/:id',
  folder: 'pages/account',
  audience: 'operator',
  load: () => import('./account-page.tsx'),
};
