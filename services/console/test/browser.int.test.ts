import { EventEmitter, once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newTaskId } from '@mediagate/contracts';
import { BROWSER_ARGUMENTS, findBrowser } from '@mediagate/testkit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Deployment, startDeployment, type TestConsole } from './test-console';

/** Set: the screenshot replaces the one in the documentation. */
const UPDATE = process.env['UPDATE_SCREENSHOTS'] === '1';
const DOCUMENTED = join(__dirname, '../../../docs/images/console-queues.png');
/** Bull Board's page would load from there, and the policy does not let it. */
const BLOCKED = 'https://fonts.googleapis.com/';

const OPERATOR = 'kim@example.com';
const STEP_LIMIT_MS = 60_000;

const program = findBrowser();
if (program === undefined) {
  process.stderr.write(
    'SKIPPED: no browser is here and none could be installed, so the console was not seen in one.\n',
  );
}
const itWithBrowser = program === undefined ? it.skip : it;

let deployment: Deployment;
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
  deployment = await startDeployment();
  app = await deployment.startConsole();
  await deployment.addUser(OPERATOR, { kind: 'operator', role: 'support' });
  browser = await chromium.launch({ executablePath: program, args: BROWSER_ARGUMENTS });
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  page.setDefaultTimeout(STEP_LIMIT_MS);
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The board asks once more for the job that it has removed.
    const isOfRemoved = message.location().url.includes(`/${DELAYED}-3`) && message.text().includes('404');
    if (message.type() === 'error' && !message.text().includes(BLOCKED) && !isOfRemoved) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(app.origin) && !request.url().startsWith(BLOCKED)) faults.push(request.url());
  });
}, 360_000);

afterAll(async () => {
  if (program === undefined) return;
  hand.emit('released');
  await browser.close();
  await deployment.stop();
  rmSync(folder, { recursive: true });
});

/** Jobs as the gateway makes them: one in flight, some that wait, some for later. */
async function fillQueues(): Promise<void> {
  const taken = once(hand, 'taken');
  await deployment.queues.enqueueTask({ family: 'image', taskId: newTaskId(), fence: 1 });
  const handle = async () => {
    hand.emit('taken');
    await released;
  };
  deployment.queues.consumeTasks('image', async () => void (await handle()), { concurrency: 1 });
  await taken;
  for (const taskId of [newTaskId(), newTaskId(), WAITING]) {
    await deployment.queues.enqueueTask({ family: 'image', taskId, fence: 1 });
  }
  for (const taskId of [newTaskId(), DELAYED]) {
    await deployment.queues.enqueueTask({ family: 'image', taskId, fence: 3, delayMs: 60_000 });
  }
  await deployment.queues.enqueueDelivery({ deliveryId: 'dlv_1', attemptsMade: 1, delayMs: 30_000 });
}

/** Signs the operator in, and gives the session's cookies to the browser. */
async function signIn(): Promise<void> {
  const { cookie } = await app.openSession(OPERATOR);
  const pairs = cookie.split('; ').map((pair) => pair.split('=') as [string, string]);
  await page.context().addCookies(pairs.map(([name, value]) => ({ name, value, url: app.origin })));
}

itWithBrowser(
  'a person who signs in sees the jobs in the queues and acts on one by the button of the board',
  async () => {
    await fillQueues();
    const stranger = await app.request('/board', { headers: { accept: 'text/html' } });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/queues']);
    await signIn();
    await page.goto(`${app.origin}/board/queue/image`);
    await page.getByText(`${WAITING}-1`).first().waitFor();
    await page.getByText(`"${WAITING}"`).first().waitFor();
    const screenshot = join(folder, 'console-queues.png');
    await page.screenshot({ path: screenshot });
    expect(statSync(screenshot).size).toBeGreaterThan(20_000);
    if (UPDATE) copyFileSync(screenshot, DOCUMENTED);

    await page.goto(`${app.origin}/board/queue/image/${DELAYED}-3`);
    const answered = page.waitForResponse((response) => response.url().endsWith(`/${DELAYED}-3/clean`));
    // The buttons have icons alone; the last of the job's is to remove it.
    await page.getByText(`${DELAYED}-3`).locator('xpath=ancestor::*[.//button][1]//button').last().click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    expect((await answered).status()).toBe(204);
    expect(faults).toEqual([]);
  },
);

itWithBrowser('the board offers the actions that are allowed, and no other', async () => {
  await page.goto(`${app.origin}/board/queue/image?status=delayed`);
  await page.getByText('Clean all').waitFor();
  await page.locator('[class^="jobActions"]').first().waitFor();
  const visible = (selector: string) => page.locator(`${selector} >> visible=true`);
  expect(await visible('[class^="queueActions"] button').allTextContents()).toEqual(['Clean all']);
  const icons = await visible('[class^="jobActions"] svg').evaluateAll((all) => all.map((icon) => icon.classList[1]));
  expect(new Set(icons)).toEqual(new Set(['lucide-trash2']));
  await page.locator('main [aria-haspopup="menu"]').first().click();
  await page.getByRole('menuitem', { name: 'Pause' }).waitFor();
  expect(await visible('[role="menuitem"]').allTextContents()).toEqual(['Pause', 'Empty']);
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  const paused = page.waitForResponse((response) => response.url().endsWith('/queues/image/pause'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  expect((await paused).status()).toBe(200);
  await page.locator('main [aria-haspopup="menu"]').first().click();
  await page.getByRole('menuitem', { name: 'Resume' }).waitFor();
  expect(faults).toEqual([]);
});
