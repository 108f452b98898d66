import { EventEmitter, once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newTaskId } from '@mediagate/contracts';
import { BROWSER_ARGUMENTS, findBrowser } from '@mediagate/testkit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PASSWORD, startTestConsole, type TestConsole, USER } from './test-console';

/** Set: the screenshot replaces the one in the documentation. */
const UPDATE = process.env['UPDATE_SCREENSHOTS'] === '1';
const DOCUMENTED = join(__dirname, '../../../docs/images/console-queues.png');
/** What Bull Board's page would load from elsewhere, and the policy does not let it. */
const BLOCKED = 'https://fonts.googleapis.com/';

const STEP_LIMIT_MS = 10_000;

const program = findBrowser();
if (program === undefined) {
  process.stderr.write(
    'SKIPPED: no browser is here and none could be installed, so the console was not seen in one.\n',
  );
}
const itWithBrowser = program === undefined ? it.skip : it;

let app: TestConsole;
let browser: Browser;
let page: Page;
let folder: string;
const faults: string[] = [];
/** The worker that has one job in flight until the end. */
const hand = new EventEmitter();
const released = once(hand, 'released');
const WAITING = newTaskId();
const DELAYED = newTaskId();

beforeAll(async () => {
  if (program === undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'mediagate-console-'));
  app = await startTestConsole();
  browser = await chromium.launch({ executablePath: program, args: BROWSER_ARGUMENTS });
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  page.setDefaultTimeout(STEP_LIMIT_MS);
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes(BLOCKED)) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(app.origin) && !request.url().startsWith(BLOCKED)) faults.push(request.url());
  });
}, 360_000);

afterAll(async () => {
  if (program === undefined) return;
  hand.emit('released');
  await browser.close();
  await app.stop();
  rmSync(folder, { recursive: true });
});

/** Jobs as the gateway makes them: one in flight, some that wait, some for later. */
async function fillQueues(): Promise<void> {
  const taken = once(hand, 'taken');
  await app.queues.enqueueTask({ family: 'image', taskId: newTaskId(), fence: 1 });
  const handle = async () => {
    hand.emit('taken');
    await released;
  };
  app.queues.consumeTasks('image', handle, { concurrency: 1 });
  await taken;
  for (const taskId of [newTaskId(), newTaskId(), WAITING]) {
    await app.queues.enqueueTask({ family: 'image', taskId, fence: 1 });
  }
  for (const taskId of [newTaskId(), DELAYED]) {
    await app.queues.enqueueTask({ family: 'image', taskId, fence: 3, delayMs: 60_000 });
  }
  await app.queues.enqueueDelivery({ deliveryId: 'dlv_1', attemptsMade: 1, delayMs: 30_000 });
}

/** Waiting, active and delayed, as the health page shows them. */
async function countsOf(queue: string): Promise<string[]> {
  const cells = await page.getByRole('row', { name: queue }).getByRole('cell').allTextContents();
  return cells.slice(0, 3);
}

itWithBrowser(
  'a person logs in, sees the jobs in the queues, acts on one and logs out',
  async () => {
    await fillQueues();
    await page.goto(`${app.origin}/queues`);
    expect(page.url()).toBe(`${app.origin}/login`);
    await page.getByLabel('User').fill(USER);
    await page.getByLabel('Password').fill('a wrong one');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    // The browser notes that answer, 401, as an error of the page.
    faults.splice(0, 1);
    await page.getByLabel('User').fill(USER);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();

    await page.getByRole('heading', { name: 'Health' }).waitFor();
    expect(await countsOf('image')).toEqual(['3', '1', '2']);
    await page.getByRole('link', { name: 'image', exact: true }).click();
    await page.getByText(`${WAITING}-1`).first().waitFor();
    await page.getByText(`"${WAITING}"`).first().waitFor();
    const screenshot = join(folder, 'console-queues.png');
    await page.screenshot({ path: screenshot });
    expect(statSync(screenshot).size).toBeGreaterThan(20_000);
    if (UPDATE) copyFileSync(screenshot, DOCUMENTED);

    // As the board's own button sends it: the origin that the browser adds is what the console looks at.
    const promote = `fetch('api/queues/image/${DELAYED}-3/promote', { method: 'PUT' }).then(({ status }) => status)`;
    expect(await page.evaluate(promote)).toBe(204);
    await page.goto(app.origin);
    expect(await countsOf('image')).toEqual(['4', '1', '1']);

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await page.goto(`${app.origin}/queues`);
    expect(page.url()).toBe(`${app.origin}/login`);
    expect(faults).toEqual([]);
  },
  60_000,
);
