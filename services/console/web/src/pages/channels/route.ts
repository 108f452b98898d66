import { Network } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/channels',
  folder: 'pages/channels',
  audience: 'operator',
  load: () => import('./channels-page.tsx'),
  navigation: { label: 'nav.channels', icon: Network, order: 110 },
};
