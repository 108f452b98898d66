import type { PageRoute } from '../../frame/route.ts';
import { loadTexts } from '../../texts/texts.ts';

export const route: PageRoute = {
  path: '/accounts/:id',
  folder: 'pages/account',
  audience: 'operator',
  async load() {
    // Keys take their texts from the page of a holder's own keys.
    const [page] = await Promise.all([import('./account-page.tsx'), loadTexts('pages/keys')]);
    return page;
  },
};
