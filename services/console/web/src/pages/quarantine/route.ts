import { ShieldQuestion } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/quarantine',
  folder: 'pages/quarantine',
  audience: 'operator',
  load: () => import('./quarantine-page.tsx'),
  navigation: { label: 'nav.quarantine', icon: ShieldQuestion, order: 120 },
};
