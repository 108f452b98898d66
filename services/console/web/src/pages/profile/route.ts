import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/profile',
  folder: 'pages/profile',
  audience: 'everybody',
  load: () => import('./profile-page.tsx'),
};
