import { Webhook } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/deliveries',
  folder: 'pages/deliveries',
  audience: 'operator',
  load: () => import('./deliveries-page.tsx'),
  navigation: { label: 'nav.deliveries', icon: Webhook, order: 130 },
};
