import { Settings2 } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/settings',
  folder: 'pages/settings',
  audience: 'operator',
  load: () => import('./settings-page.tsx'),
  navigation: { label: 'nav.settings', icon: Settings2, order: 340 },
};
