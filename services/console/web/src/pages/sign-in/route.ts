import type { PageRoute } from '../../frame/route.ts';

/** Whoever is not signed in meets it under every address, and stays there afterwards. */
export const route: PageRoute = {
  path: '*',
  folder: 'pages/sign-in',
  audience: 'nobody',
  load: () => import('./sign-in-page.tsx'),
};
