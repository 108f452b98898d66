import { KeyRound } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/keys',
  folder: 'pages/keys',
  audience: 'account',
  load: () => import('./keys-page.tsx'),
  navigation: { label: 'nav.keys', icon: KeyRound, order: 300 },
};
