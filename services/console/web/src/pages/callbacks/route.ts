import { Webhook } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/callbacks',
  folder: 'pages/callbacks',
  audience: 'account',
  load: () => import('./callbacks-page.tsx'),
  navigation: { label: 'nav.callbacks', icon: Webhook, order: 310 },
};
