import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/tasks/:id',
  folder: 'pages/task',
  audience: 'account',
  load: () => import('./task-page.tsx'),
};
