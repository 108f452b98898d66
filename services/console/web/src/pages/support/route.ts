import { Layers } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/tasks',
  folder: 'pages/support',
  audience: 'operator',
  load: () => import('./support-page.tsx'),
  navigation: { label: 'nav.support', icon: Layers, order: 105 },
};
