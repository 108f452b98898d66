import { ChartColumn } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/usage',
  folder: 'pages/usage',
  audience: 'account',
  load: () => import('./usage-page.tsx'),
  navigation: { label: 'nav.usage', icon: ChartColumn, order: 200 },
};
