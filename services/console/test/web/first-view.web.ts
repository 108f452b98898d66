import { openBrowser, run, type WebBrowser } from './browser';

const FIRST_VIEW_BYTES = 200_000;
const LANGUAGES = ['en', 'zh-CN'];

let browser: WebBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

it.each(LANGUAGES)('the first view in %s is under 200 KB, and asks no other origin', async (language) => {
  const page = await browser.open({ language });
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  const others: string[] = [];
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(run.consoleUrl)) others.push(request.url());
  });
  const started = performance.now();
  await page.goto(run.consoleUrl);
  await page.getByRole('textbox').first().waitFor();
  const shownMs = performance.now() - started;
  await page.waitForLoadState('networkidle');
  process.stderr.write(`first view in ${language}: ${shownMs.toFixed(0)} ms, ${(bytes / 1000).toFixed(1)} KB\n`);
  expect(await page.evaluate('document.documentElement.lang')).toBe(language.slice(0, 2));
  expect(bytes).toBeLessThan(FIRST_VIEW_BYTES);
  expect(others).toEqual([]);
  await page.context().close();
});
