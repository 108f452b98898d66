import { Files } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/files',
  folder: 'pages/files',
  audience: 'account',
  load: () => import('./files-page.tsx'),
  navigation: { label: 'nav.files', icon: Files, order: 320 },
};
