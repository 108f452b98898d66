import { answer } from './answers';
import { openBrowser, run, violationsOf, type WebBrowser } from './browser';

const TEST_LIMIT_MS = 180_000;

let browser: WebBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

it(
  'troubles that are not known yet are not told to be none, and one that cannot be read hides no other',
  async () => {
    const page = await browser.openAs('operator');
    const none = page.getByText('Every channel works, and no outcome is unknown.');
    const empty = { data: [], next_cursor: null, has_more: false };
    await page.route(/\/admin\/v1\/(channels|attempts|notices)/, (route) => answer(route, empty));
    const held = new Promise<void>((resolve) => void page.route(/\/admin\/v1\/audits\?/, () => resolve()));
    await page.goto(run.consoleUrl);
    await Promise.all([held, page.getByRole('heading', { name: 'Needs attention' }).waitFor()]);
    expect(await none.count()).toBe(0);
    const unknown = { ...empty, data: [{ started_at: 1_790_000_000 }] };
    await page.route(/\/admin\/v1\/attempts\?/, (route) => answer(route, unknown));
    await page.route(/\/admin\/v1\/audits\?/, (route) => route.abort());
    await page.goto(run.consoleUrl);
    await page.getByText('Attempts of unknown outcome: 1').waitFor();
    await page.getByText('The server cannot be reached').waitFor();
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
  'a dead process, a paused queue and a full storage need attention, each with what to do and its runbook',
  async () => {
    const page = await browser.openAs('operator');
    const process = {
      name: 'image',
      address: '10.0.0.9:9464',
      state: 'down',
      reason: null,
      up_seconds: null,
      work: [],
    };
    await page.route(/\/processes$/, (route) => answer(route, { data: [process] }));
    await page.route(/\/admin\/v1\/queues$/, async (route) => {
      const { data } = await (await route.fetch()).json();
      const [family] = data.families;
      const jobs = { ...family.jobs, paused: true };
      await answer(route, { data: { ...data, families: [{ ...family, waiting: 7, oldest_seconds: 600, jobs }] } });
    });
    const notice = {
      id: 'ntc_1',
      kind: 'storage_failing',
      account_id: null,
      since: 1_790_000_000,
      text: 'No space left.',
    };
    const notices = { data: [notice], next_cursor: null, has_more: false };
    await page.route(/\/admin\/v1\/notices\?/, (route) => answer(route, notices));
    await page.goto(run.consoleUrl);
    const rows = page.getByRole('listitem');
    await rows.filter({ hasText: 'No space left.' }).getByText('docs/runbooks/storage-full.md').waitFor();
    await rows.filter({ hasText: 'image 10.0.0.9:9464' }).getByText('docs/runbooks/process-down.md').waitFor();
    await rows.getByText('Somebody paused it: resume it. Waiting: 7').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  },
  TEST_LIMIT_MS,
);
