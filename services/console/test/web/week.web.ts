import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openBrowser, run, type WebBrowser } from './browser';

const DOCUMENT = readFileSync(join(__dirname, '../../../../docs/operators-week.md'), 'utf8');
const REASON = 'the operator’s week';
const TASK_LIMIT_MS = 60_000;
/** The kind of a booking, with which its row begins. */
const LEDGER_ENTRY = /^(Top-up|Held|Settled|Refunded|Adjusted)$/;

let browser: WebBrowser;
let page: Page;
let steps = 0;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.openAs('operator');
});

afterAll(() => browser.close());

beforeEach(async () => {
  await page.goto(run.consoleUrl);
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  steps = 0;
});

/** A click is a step, and so is a field that is filled in. */
async function click(what: Locator): Promise<void> {
  steps += 1;
  await what.click();
}

async function fill(what: Locator, text: string): Promise<void> {
  steps += 1;
  await what.fill(text);
}

const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' }).first();
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }).first();
const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
const option = (name: string) => page.getByRole('option', { name, exact: true });
const dialog = () => page.getByRole('dialog');

async function openAccount(tab?: string): Promise<void> {
  await click(link('Accounts'));
  await click(link('Demo'));
  if (tab !== undefined) await click(page.getByRole('tab', { name: tab, exact: true }));
}

/** Says why, and presses what the dialog is for. */
async function confirm(action: string | RegExp): Promise<void> {
  await fill(dialog().getByRole('textbox', { name: 'Reason' }), REASON);
  await click(dialog().getByRole('button', { name: action, exact: typeof action === 'string' }));
}

async function choose(field: string, value: string): Promise<void> {
  await click(page.getByRole('combobox', { name: field }));
  await click(option(value));
}

/** Does what each section of the document is about on the pages, and waits until they show it. */
const WEEK: Record<string, () => Promise<void>> = {
  async 'Raise a quota'() {
    await openAccount('API keys');
    await click(button('Actions of demo'));
    await click(item('Change'));
    await fill(dialog().getByRole('textbox', { name: 'Quota, in currency units' }), '50');
    await confirm('Save the changes');
    await page.getByRole('row').filter({ hasText: 'demo' }).getByText('50.00').waitFor();
  },
  async 'Find a customer’s failed task by words'() {
    await click(link('Tasks'));
    await fill(page.getByRole('searchbox').first(), 'content policy');
    await page.keyboard.press('Enter');
    await click(link(/^imagegen-2.5-flare/));
    await page.getByRole('article').getByText('content_policy', { exact: true }).waitFor();
  },
  async 'Explain a balance'() {
    await openAccount('Ledger');
    // The newest entries: what they are depends on what ran before.
    await page
      .getByRole('row')
      .filter({ has: page.getByText(LEDGER_ENTRY) })
      .first()
      .waitFor();
  },
  async 'Which channel is sick'() {
    await click(link('Channels'));
    await click(link('images-openai'));
    await page.getByRole('figure').first().waitFor();
  },
  async 'Disable it'() {
    await click(link('Channels'));
    await click(link('videos-ark'));
    await click(button('Disable videos-ark'));
    await confirm('Disable');
    await click(button('Reset videos-ark'));
    await confirm('Reset');
    await page.getByText('videos-ark follows the file again within seconds.').waitFor();
  },
  async 'Rotate each secret'() {
    await openAccount('API keys');
    await click(button('Actions of demo, of tests'));
    await click(item('New secret'));
    await confirm('New secret');
    await click(dialog().getByRole('button', { name: 'I have kept it' }));
  },
  async 'Refund by hand'() {
    await click(link('Tasks'));
    await choose('Status', 'Completed');
    await click(link(/^imgtool task_/));
    await click(button('Refund'));
    await confirm(/^Refund /);
    await page.getByText('Refunded by hand').waitFor();
  },
  async 'Margin by vendor and day'() {
    await click(link('Margin'));
    await page.getByRole('figure', { name: 'Charged per day' }).waitFor();
    await click(page.getByText('As a table'));
    await page
      .getByRole('cell', { name: 'openai-images' })
      .or(page.getByRole('columnheader', { name: 'openai-images' }))
      .first()
      .waitFor();
  },
  async 'The slowest queue'() {
    await click(link('Queues'));
    await page.getByRole('columnheader', { name: 'Oldest' }).waitFor();
  },
  async 'Send a thousand callbacks again'() {
    await click(link('Deliveries'));
    await choose('State', 'Delivered');
    await click(button('Send all of these again'));
    await confirm('Send again');
    await page.getByText(/callbacks are sent again\.$/).waitFor();
  },
  async 'Who did what'() {
    await click(link('Audit log'));
    await fill(page.getByRole('combobox', { name: 'What', exact: true }), 'key.rotate');
    await page.keyboard.press('Enter');
    await click(link('key.rotate'));
    await page.getByText(REASON).first().waitFor();
  },
  async 'Change a price from tomorrow'() {
    await click(link('Prices'));
    await fill(page.getByRole('searchbox').first(), 'imageseed-4.0');
    await click(button('Change imageseed-4.0'));
    await fill(dialog().getByRole('textbox', { name: 'per_image' }), '0.035');
    await confirm('Set the price');
    await page.getByText(/^imageseed-4.0 changes on /).waitFor();
  },
  async 'Retire a model'() {
    await click(link('Channels'));
    await click(link('images-openai'));
    await page.getByText('imagegen-2.5-flare').first().waitFor();
    await click(link('Margin'));
    await choose('Grouped by', 'Model');
    await page.getByRole('cell', { name: 'imagegen-2.5-flare', exact: true }).waitFor();
  },
  async Invoice() {
    await openAccount('Invoice');
    const saved = page.waitForEvent('download');
    await click(button('CSV'));
    expect((await saved).suggestedFilename()).toMatch(/^invoice-acct_.*\.csv$/);
  },
  async 'An alert'() {
    await page.getByText('Needs attention').waitFor();
    await click(link('Books'));
    await click(button('Audit now'));
    await confirm('Audit now');
    await page.getByText('An audit is asked for.').waitFor();
  },
};

const SECTIONS = [...DOCUMENT.matchAll(/^## \d+\. (.+)\n\n(No page|Page, (\d+) steps?):/gm)].map(
  ([, title = '', , count]) => ({ title, count: count === undefined ? undefined : Number(count) }),
);

it('the document has a way by page for each task of the week but those on which no page can be', () => {
  expect(DOCUMENT.match(/^## \d+\. /gm)).toHaveLength(SECTIONS.length);
  expect(SECTIONS.filter(({ count }) => count !== undefined).map(({ title }) => title)).toEqual(Object.keys(WEEK));
  expect(SECTIONS.filter(({ count }) => count === undefined).map(({ title }) => title)).toEqual(['Upgrade', 'Restore']);
});

it.each(Object.entries(WEEK))(
  '%s, in as many steps as the document says',
  async (title, act) => {
    await act();
    process.stderr.write(`${title}: ${steps} steps\n`);
    expect(steps).toBe(SECTIONS.find((section) => section.title === title)?.count);
    expect(browser.faults()).toEqual([]);
  },
  TASK_LIMIT_MS,
);
