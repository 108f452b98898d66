import { Activity } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/',
  folder: 'pages/now',
  audience: 'operator',
  load: () => import('./now-page.tsx'),
  navigation: { label: 'nav.now', icon: Activity, order: 100 },
};
