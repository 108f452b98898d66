import type { PageRoute } from '../../frame/route.ts';
import { loadTexts } from '../../texts/texts.ts';

export const route: PageRoute = {
  path: '/channels/:id',
  folder: 'pages/channel',
  audience: 'operator',
  async load() {
    // What is done to a channel is said in the words of their list.
    const [page] = await Promise.all([import('./channel-page.tsx'), loadTexts('pages/channels')]);
    return page;
  },
};
