import { FlaskConical } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/playground',
  folder: 'pages/playground',
  audience: 'account',
  load: () => import('./playground-page.tsx'),
  navigation: { label: 'nav.playground', icon: FlaskConical, order: 120 },
};
