import { Building2 } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/accounts',
  folder: 'pages/accounts',
  audience: 'operator',
  load: () => import('./accounts-page.tsx'),
  navigation: { label: 'nav.accounts', icon: Building2, order: 200 },
};
