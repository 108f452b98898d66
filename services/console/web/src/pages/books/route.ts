import { BookCheck } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';

export const route: PageRoute = {
  path: '/books',
  folder: 'pages/books',
  audience: 'operator',
  load: () => import('./books-page.tsx'),
  navigation: { label: 'nav.books', icon: BookCheck, order: 230 },
};
