import { House } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/',
  folder: 'pages/overview',
  audience: 'account',
  load: () => import('./overview-page.tsx'),
  navigation: { label: 'nav.overview', icon: House, order: 100 },
};
