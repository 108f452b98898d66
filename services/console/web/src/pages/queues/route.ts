import { ListOrdered } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/queues',
  folder: 'pages/queues',
  audience: 'operator',
  load: () => import('./queues-page.tsx'),
  navigation: { label: 'nav.queues', icon: ListOrdered, order: 150 },
};
