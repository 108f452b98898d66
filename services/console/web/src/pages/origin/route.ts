import { Fingerprint } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/origin',
  folder: 'pages/origin',
  audience: 'everybody',
  // A viewer sends nothing.
  roles: ['owner', 'developer', 'read', 'support', 'billing', 'admin'],
  load: () => import('./origin-page.tsx'),
  navigation: { label: 'nav.origin', icon: Fingerprint, order: 322 },
};
