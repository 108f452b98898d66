import { findOrInstall } from './system-package';

/** Arguments by which a browser runs as root and without a screen, and asks nobody but the page it is sent to. */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
];

/** The path of a browser, installed from the system's packages where that is possible; undefined when none can be had. */
export function findBrowser(): string | undefined {
  return findOrInstall({
    name: 'chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
    neededBy: 'the browser test',
  });
}
