import type { Locator, Page } from 'playwright-core';
import { openBrowser, run, settled, takeScreenshot, violationsOf, type WebBrowser } from './browser';

const REASON = 'to see it work';
const TEST_LIMIT_MS = 180_000;

let browser: WebBrowser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

const dialog = () => page.getByRole('dialog');
const press = (name: string | RegExp, inside: Page | Locator = page) =>
  inside.getByRole('button', { name, exact: typeof name === 'string' }).click();

/** Says why, and presses what the dialog is for; the dialog is judged before. */
async function confirm(action: string): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  await dialog().getByRole('textbox', { name: 'Reason' }).fill(REASON);
  await press(action, dialog());
  await dialog().waitFor({ state: 'detached' });
}

describe('where notices go', () => {
  it(
    'is refused at its field where it cannot work, and added, tried, changed and removed',
    async () => {
      page = await browser.openAs('customer', { width: 360 });
      await page.goto(`${run.consoleUrl}/notices`);
      await press('Add a target');
      await dialog().getByText('Webhook', { exact: true }).click();
      const address = dialog().getByRole('textbox', { name: 'Address' });
      await address.fill('http://127.0.0.1/notices');
      await press('Add a target', dialog());
      const refused = dialog().locator('[aria-invalid="true"]');
      await refused.waitFor();
      expect(await refused.getAttribute('value')).toBe('http://127.0.0.1/notices');
      expect(await dialog().getByText('The host is not a public address.', { exact: false }).count()).toBe(1);
      expect(await violationsOf(page)).toEqual([]);
      await takeScreenshot(page, 'notice-target-refused', 'screen');
      // The browser reports the refusal, too.
      expect(browser.faults()).toEqual([expect.stringContaining('400')]);

      await address.fill('https://receiver.invalid/notices?of=us');
      await press('Add a target', dialog());
      await dialog().waitFor({ state: 'detached' });
      const row = page.getByRole('row').filter({ hasText: 'https://receiver.invalid/…' });
      await press('Send a test to https://receiver.invalid/…', row);
      await row.getByText('Given up').waitFor();
      await takeScreenshot(page, 'notice-target-tried', 'screen');

      await press('Change https://receiver.invalid/…', row);
      await dialog().getByRole('combobox', { name: 'Told of' }).click();
      await page.getByRole('option', { name: 'Low balance' }).click();
      await page.keyboard.press('Tab');
      await press('Save', dialog());
      await page.setViewportSize({ width: 768, height: 900 });
      await row.getByText('Low balance').waitFor();
      await press('Remove https://receiver.invalid/…', row);
      expect(await violationsOf(page)).toEqual([]);
      await press('Remove', dialog());
      await page.getByText('They go nowhere yet.').waitFor();
      expect(browser.faults()).toEqual([]);
      await page.context().close();
    },
    TEST_LIMIT_MS,
  );

  it(
    'says the secret of a webhook of operators once',
    async () => {
      page = await browser.openAs('operator');
      await page.goto(`${run.consoleUrl}/notices`);
      await press('Add a target');
      await dialog().getByText('Webhook', { exact: true }).click();
      await dialog().getByRole('textbox', { name: 'Address' }).fill('https://receiver.invalid/operators');
      expect(await violationsOf(page)).toEqual([]);
      await dialog().getByRole('textbox', { name: 'Reason' }).fill(REASON);
      await press('Add a target', dialog());
      await dialog()
        .getByText(/^whsec_/)
        .waitFor();
      await press('I have kept it', dialog());
      await press('Remove https://receiver.invalid/…');
      await confirm('Remove');
      await page.getByText('They go nowhere yet.').waitFor();
      expect(browser.faults()).toEqual([]);
    },
    TEST_LIMIT_MS,
  );
});

it(
  'operators look at what a task made once they say why, which the audit log tells',
  async () => {
    await page.goto(`${run.consoleUrl}/tasks?status=completed`);
    await page
      .getByRole('link', { name: /^imagegen-2.5-flare/ })
      .first()
      .click();
    await press('Look at the result');
    await confirm('Show it');
    await page.getByRole('button', { name: 'Open image 1' }).waitFor();
    await settled(page);
    expect(
      await page.evaluate(`document.querySelector('[aria-label="Open image 1"] img').naturalWidth`),
    ).toBeGreaterThan(0);
    expect(await violationsOf(page)).toEqual([]);
    await takeScreenshot(page, 'case-result');
    await page.goto(`${run.consoleUrl}/log?action=task.show_result`);
    await page.getByRole('link', { name: 'task.show_result' }).first().waitFor();
    await page.getByText(REASON).first().waitFor();
    expect(browser.faults()).toEqual([]);
  },
  TEST_LIMIT_MS,
);

it(
  'a channel is weighed within its bounds and follows the file again, and a test call says what its vendor answers',
  async () => {
    await page.goto(`${run.consoleUrl}/channels/images-openai`);
    await press('Weigh images-openai');
    const weight = dialog().getByRole('textbox', { name: 'Weight' });
    await weight.fill('');
    expect(await dialog().getByRole('button', { name: 'Weigh', exact: true }).isDisabled()).toBe(true);
    await weight.fill('7');
    await confirm('Weigh');
    await page.getByText('images-openai has its new weight within seconds.').waitFor();
    await page.getByText(`weight · `, { exact: false }).first().waitFor();
    await press('Reset images-openai');
    await confirm('Reset');
    await page.getByText('images-openai follows the file again within seconds.').waitFor();
    await press('Test call of images-openai');
    await dialog().getByText('Answers', { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await takeScreenshot(page, 'channel-probed', 'screen');
    expect(browser.faults()).toEqual([]);
  },
  TEST_LIMIT_MS,
);

it(
  'a callback is looked at attempt by attempt, stopped, and sent again',
  async () => {
    await page.goto(`${run.consoleUrl}/deliveries?task_id=${await endTaskWithCallback()}`);
    const row = page.getByRole('row').filter({ hasText: 'https://stopped.invalid' });
    await row.getByText('Pending').waitFor();
    await press(/^Attempts of /, row);
    await dialog().getByRole('button', { name: 'Stop sending' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await takeScreenshot(page, 'delivery', 'screen');
    await press('Stop sending', dialog());
    await confirm('Stop sending');
    await page.getByText('The callback is not sent any more.').waitFor();
    await row.getByText('Dropped').waitFor();
    await press(/^Attempts of /, row);
    await press('Send again', dialog());
    await confirm('Send again');
    await page.getByText('The callback is sent again.').waitFor();
    await row.getByText('Pending').waitFor();
    expect(browser.faults()).toEqual([]);
    await page.context().close();
  },
  TEST_LIMIT_MS,
);

/** Runs a task of the customer's to its end, with a callback that does not arrive. */
async function endTaskWithCallback(): Promise<string> {
  const headers = { authorization: `Bearer ${run.apiKey}`, 'content-type': 'application/json' };
  const body = { model: 'imagegen-2.5-flare', prompt: 'a lighthouse at noon', webhook: 'https://stopped.invalid' };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  const submitted = await fetch(`${run.baseUrl}/v1/images/generations`, sent);
  const { data } = (await submitted.json()) as { data: { task_id: string }[] };
  const id = data[0]?.task_id ?? '';
  // The answer waits until the task has ended.
  const events = await fetch(`${run.baseUrl}/v1/tasks/${id}/events`, { headers });
  await events.text();
  return id;
}

it(
  'whoever accounts have invited joins the one that they press, and reads in their language why they are not in',
  async () => {
    page = await browser.open({ language: 'de', width: 360 });
    await page.route('**/session/methods', (route) =>
      route.fulfill({ json: { data: { password: true, oidc: '/session/oidc' } } }),
    );
    const places = [
      { account: 'acct_1', name: 'Studio', joined: false, invited_at: 1_795_000_000, invited_by: 'kim@example.com' },
      { account: 'acct_2', name: 'Studio', joined: false, invited_at: 1_795_000_000, invited_by: null },
      { account: 'operators', name: null, joined: true, invited_at: 1_795_000_000, invited_by: null },
    ];
    await page.route('**/session/oidc/accounts*', (route) => route.fulfill({ json: { data: places } }));
    await page.route('**/session/oidc', (route) =>
      route.fulfill({ json: { data: { url: '/?elsewhere=not_invited' } } }),
    );
    await page.goto(`${run.consoleUrl}/?elsewhere=invited`);
    await page.getByText('Sie wurden eingeladen.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Betreiber' }).waitFor();
    await page.getByText('acct_1 · eingeladen von kim@example.com am 18.11.2026').waitFor();
    await page.getByText('acct_2 · eingeladen am 18.11.2026').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await takeScreenshot(page, 'sign-in-invited', 'screen');
    const begun = page.waitForRequest((request) => request.url().endsWith('/session/oidc'));
    await page.getByRole('button', { name: 'Studio' }).first().click();
    expect((await begun).postDataJSON()).toEqual({ account: 'acct_1', joins: true });
    await page.getByRole('alert').getByText('niemand hat Sie hier eingeladen', { exact: false }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await takeScreenshot(page, 'sign-in-not-invited', 'screen');
    expect(browser.faults()).toEqual([]);
    await page.context().close();
  },
  TEST_LIMIT_MS,
);
