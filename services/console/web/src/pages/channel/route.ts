import type { PageRoute } from '../../frame/route.ts';
import { loadTexts } from '../../texts/texts.ts';

export const route: PageRoute = {
  path: '/channels/:id',
  folder: 'pages/channel',
  audience: 'operator',
  async load() {
    // Actions on a channel take their texts from the list of channels.
    const [page] = await Promise.all([import('./channel-page.tsx'), loadTexts('pages/channels')]);
    return page;
  },
};
