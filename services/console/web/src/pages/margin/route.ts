import { Scale } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/margin',
  folder: 'pages/margin',
  audience: 'operator',
  load: () => import('./margin-page.tsx'),
  navigation: { label: 'nav.margin', icon: Scale, order: 220 },
};
