import type { Route } from 'playwright-core';
import { answer } from './answers';
import { openBrowser, run, violationsOf, type WebBrowser } from './browser';

const TEST_LIMIT_MS = 180_000;

let browser: WebBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

/** A trouble as the gateway lists it. */
const TROUBLE = {
  kind: 'channel',
  urgency: 'warning',
  subject: 'images-openai',
  since: 1_790_000_000,
  cause: 'their_outage',
  detail: 'upstream_fault: 7',
  touched: 7,
  of: 9,
  accounts: 3,
  cost: 0.5,
  action: 'In the words of the gateway.',
  runbook: 'docs/runbooks/upstream-down.md',
};

it(
  'the list stands in the gateway’s order, each with what it costs, its cause, its one action and its runbook',
  async () => {
    const page = await browser.openAs('operator');
    const queue = {
      ...TROUBLE,
      kind: 'queue',
      subject: 'image',
      cause: 'paused',
      of: null,
      accounts: null,
      cost: null,
    };
    const slow = { ...TROUBLE, subject: 'images-slow', cause: 'their_delay', of: null, accounts: null, cost: null };
    const flood = { ...slow, kind: 'account_floods', subject: 'acc_1', cause: 'one_account', touched: 100, of: 110 };
    const unknown = { ...TROUBLE, kind: 'of_a_newer_release', subject: null, cause: 'unheard_of' };
    await page.route(/\/admin\/v1\/troubles$/, (route) =>
      answer(route, { data: [queue, TROUBLE, unknown, slow, flood] }),
    );
    await page.goto(run.consoleUrl);
    const rows = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
    await rows.nth(4).waitFor();
    const [first, second, third, fourth, fifth] = await rows.allInnerTexts();
    expect(first).toMatch(/image\s+since .* ago · waiting: 7\s+Somebody paused the queue\. Resume the queue\./);
    expect(second).toMatch(
      /images-openai\s+since .* ago · 7 of 9 attempts failed in the last hour · accounts affected: 3 · Cost 0\.50/,
    );
    expect(second).toContain('upstream_fault: 7 · docs/runbooks/upstream-down.md');
    expect(fourth).not.toContain('of 0');
    expect(fifth).toContain('waiting: 100');
    expect(await rows.nth(4).getByRole('link').getAttribute('href')).toBe('/accounts/acc_1');
    expect(third).toMatch(/of_a_newer_release[\s\S]*In the words of the gateway\./);
    expect(await rows.nth(0).getByRole('link').getAttribute('href')).toBe('/queues?queue=image');
    expect(await rows.getByRole('button').allInnerTexts()).toEqual(['Drain']);
    expect(await violationsOf(page)).toEqual([]);
    await rows.getByRole('button').click();
    await page.getByRole('dialog', { name: /images-openai/ }).waitFor();
    await page.context().close();
  },
  TEST_LIMIT_MS,
);

it(
  'a list that is not known yet is not told to be empty, nor is one that cannot be read',
  async () => {
    const page = await browser.openAs('operator');
    const none = page.getByText('Nothing needs attention.');
    const held = new Promise<Route>((resolve) => void page.route(/\/admin\/v1\/troubles$/, resolve));
    await page.goto(run.consoleUrl);
    const route = await held;
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    expect(await none.count()).toBe(0);
    await answer(route, { data: [] });
    await none.waitFor();
    await page.unroute(/\/admin\/v1\/troubles$/);
    await page.route(/\/admin\/v1\/troubles$/, (route) => route.abort());
    await page.goto(run.consoleUrl);
    await page.getByText('The server cannot be reached').waitFor();
    expect(await none.count()).toBe(0);
    await page.context().close();
  },
  TEST_LIMIT_MS,
);

it(
  'replicas of one name are told apart by their addresses',
  async () => {
    const page = await browser.openAs('operator');
    const process = { name: 'api', state: 'ready', reason: null, up_seconds: 60, work: [] };
    const data = ['10.0.0.1:9464', '10.0.0.2:9464'].map((address) => ({ ...process, address }));
    await page.route(/\/processes$/, (route) => answer(route, { data }));
    await page.goto(run.consoleUrl);
    for (const { address } of data) await page.getByText(address).waitFor();
    expect(browser.faults()).toEqual([]);
    await page.context().close();
  },
  TEST_LIMIT_MS,
);

it(
  'a process that does not answer stands above those that do, right below the list, with its runbook',
  async () => {
    const page = await browser.openAs('operator');
    const ready = { name: 'api', address: '10.0.0.1:9464', state: 'ready', reason: null, up_seconds: 60, work: [] };
    const down = { ...ready, name: 'image', state: 'down', reason: 'ECONNREFUSED', up_seconds: null };
    await page.route(/\/processes$/, (route) => answer(route, { data: [ready, down] }));
    await page.goto(run.consoleUrl);
    const rows = page.getByRole('region', { name: 'Processes' }).getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.nth(1).textContent()).toMatch(/image[\s\S]*ECONNREFUSED docs\/runbooks\/process-down\.md/);
    const headings = page.getByRole('heading', { level: 2 });
    expect((await headings.allInnerTexts()).slice(0, 2)).toEqual(['Needs attention', 'Processes']);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  },
  TEST_LIMIT_MS,
);
