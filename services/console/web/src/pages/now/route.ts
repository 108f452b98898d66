import { Activity } from 'lucide-react';
import type { PageRoute } from '../../frame/route.ts';
import { loadTexts } from '../../texts/texts.ts';

export const route: PageRoute = {
  path: '/',
  folder: 'pages/now',
  audience: 'operator',
  async load() {
    // The page has buttons of channels, whose texts are those of the list of channels.
    const [page] = await Promise.all([import('./now-page.tsx'), loadTexts('pages/channels')]);
    return page;
  },
  navigation: { label: 'nav.now', icon: Activity, order: 100 },
};
