import { Tags } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/prices',
  folder: 'pages/prices',
  audience: 'operator',
  load: () => import('./prices-page.tsx'),
  navigation: { label: 'nav.prices', icon: Tags, order: 210 },
};
