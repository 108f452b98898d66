import { Layers } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/tasks',
  folder: 'pages/tasks',
  audience: 'account',
  load: () => import('./tasks-page.tsx'),
  navigation: { label: 'nav.tasks', icon: Layers, order: 110 },
};
