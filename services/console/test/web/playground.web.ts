import { openBrowser, run, takeScreenshot, type WebBrowser } from './browser';

let browser: WebBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

it('a text is priced as it is typed, read in place while it is written, and shown as code', async () => {
  const page = await browser.openAs('customer');
  await page.goto(`${run.consoleUrl}/playground?model=text-2.5-flash`);
  const price = page.getByRole('status').getByText(/^Costs/);
  await price.waitFor();
  const before = await price.textContent();
  await page.getByRole('textbox', { name: 'prompt' }).fill('Why do lighthouses blink? '.repeat(200));
  await price.filter({ hasNotText: before ?? '' }).waitFor();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText(/^Tokens: \d/).waitFor();
  await page.getByRole('link', { name: 'Open the task' }).waitFor();
  await page.getByText('/openai/v1/chat/completions').waitFor();
  await takeScreenshot(page, 'playground-text-answered');
  expect(browser.faults()).toEqual([]);
  await page.context().close();
});
