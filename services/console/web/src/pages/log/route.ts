import { ScrollText } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/log',
  folder: 'pages/log',
  audience: 'operator',
  load: () => import('./log-page.tsx'),
  navigation: { label: 'nav.log', icon: ScrollText, order: 300 },
};
