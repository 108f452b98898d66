import { Fingerprint } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/origin',
  folder: 'pages/origin',
  audience: 'everybody',
  // A viewer sends nothing, and operators learn whose each result is.
  roles: ['owner', 'developer', 'support', 'billing', 'admin'],
  load: () => import('./origin-page.tsx'),
  navigation: { label: 'nav.origin', icon: Fingerprint, order: 322 },
};
