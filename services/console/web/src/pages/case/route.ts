import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/tasks/:id',
  folder: 'pages/case',
  audience: 'operator',
  load: () => import('./case-page.tsx'),
};
