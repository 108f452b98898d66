import { Users } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/users',
  folder: 'pages/users',
  audience: 'everybody',
  roles: ['read', 'support', 'billing', 'admin', 'owner'],
  load: () => import('./users-page.tsx'),
  navigation: { label: 'nav.users', icon: Users, order: 330 },
};
