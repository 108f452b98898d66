import { BookOpen } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/ledger',
  folder: 'pages/ledger',
  audience: 'account',
  load: () => import('./ledger-page.tsx'),
  navigation: { label: 'nav.ledger', icon: BookOpen, order: 210 },
};
