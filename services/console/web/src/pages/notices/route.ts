import { BellRing } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/notices',
  folder: 'pages/notices',
  audience: 'everybody',
  // An account's holders see it as owners only: their key has the right `manage`.
  roles: ['owner', 'read', 'support', 'billing', 'admin'],
  load: () => import('./notices-page.tsx'),
  navigation: { label: 'nav.notices', icon: BellRing, order: 325 },
};
