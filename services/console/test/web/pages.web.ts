import {
  documentScreenshot,
  openBrowser,
  run,
  settled,
  sidewaysPx,
  type Theme,
  takeScreenshot,
  violationsOf,
  type WebBrowser,
} from './browser';
import { PAGES } from './pages';

const PAGE_LIMIT_MS = 120_000;
const WIDTHS = [360, 768, 1440];
const THEMES: readonly Theme[] = ['light', 'dark'];
/** The theme and width of the screenshots in documents. */
const DOCUMENTED = 'light-1440';

let browser: WebBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

it.each(PAGES)(
  '$name of the $user has no violation of WCAG, nor is it wider than the screen, in both themes at each width',
  async ({ name, user, path, documented }) => {
    const page = user === 'nobody' ? await browser.open({ width: 360 }) : await browser.openAs(user, { width: 360 });
    await page.goto(run.consoleUrl + (typeof path === 'string' ? path : await path()));
    const found: string[] = [];
    for (const width of WIDTHS) {
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        found.push(...(await violationsOf(page)).map((violation) => `${theme} ${width}: ${violation}`));
        if ((await sidewaysPx(page)) > 0) found.push(`${theme} ${width}: it is wider than the screen`);
        const screenshot = `${name}-${theme}-${width}`;
        await takeScreenshot(page, screenshot, documented === undefined ? 'page' : 'screen');
        if (documented !== undefined && screenshot.endsWith(DOCUMENTED)) documentScreenshot(screenshot, documented);
      }
    }
    expect(found).toEqual([]);
    expect(browser.faults()).toEqual([]);
    await page.context().close();
  },
  PAGE_LIMIT_MS,
);
