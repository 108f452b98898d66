import type { Page } from 'playwright-core';
import { answer, HELD, holdTask } from './answers';
import { openBrowser, run, tabTo, type WebBrowser } from './browser';
import { focusOn } from './hands';

let browser: WebBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

afterEach(() => {
  expect(browser.faults()).toEqual([]);
});

async function pressOn(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

it('signing in needs no mouse', async () => {
  const page = await browser.open();
  await page.goto(run.consoleUrl);
  await focusOn(page.getByRole('textbox', { name: 'E-mail' }));
  await page.keyboard.type('customer@demo.localhost');
  await page.keyboard.press('Tab');
  await page.keyboard.type(run.consolePassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.context().close();
});

it('a job of the playground is filled in, priced, submitted and seen without a mouse', async () => {
  const page = await browser.openAs('customer');
  await page.goto(`${run.consoleUrl}/playground`);
  await page
    .getByRole('status')
    .getByText(/^Costs/)
    .waitFor();
  await tabTo(page, 'prompt');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('a lighthouse, seen from the keyboard');
  await pressOn(page, 'Run');
  await page.getByRole('button', { name: 'Open image 1' }).waitFor();
  await pressOn(page, 'Open image 1');
  await page.getByRole('dialog').locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await focusOn(page.getByRole('button', { name: 'Open image 1' }));
  await pressOn(page, 'Open the task');
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.context().close();
});

it('a key is made and kept without a mouse', async () => {
  const page = await browser.openAs('customer');
  await page.goto(`${run.consoleUrl}/keys`);
  await page.getByRole('row').nth(1).waitFor();
  await pressOn(page, 'New key');
  const dialog = page.getByRole('dialog');
  await focusOn(dialog.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('keyboard');
  await page.keyboard.press('Enter');
  await dialog.getByText('This is the only time that the key is shown.').waitFor();
  await pressOn(page, 'I have kept it');
  await page.getByText('keyboard').waitFor();
  await focusOn(page.getByRole('button', { name: 'New key' }));
  await page.context().close();
});

it('a callback is sent again without a mouse', async () => {
  const page = await browser.openAs('customer');
  await page.goto(`${run.consoleUrl}/callbacks?state=delivered`);
  const task = page.getByRole('row').nth(1).getByRole('link').first();
  await task.waitFor();
  await tabTo(page, (await task.textContent()) ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send again' }).waitFor();
  await pressOn(page, 'Send again');
  await page.getByText('The callback is sent again.').waitFor();
  await page.getByRole('cell', { name: '2', exact: true }).waitFor();
  await page.context().close();
});

it('a task is cancelled without a mouse', async () => {
  const page = await browser.openAs('customer');
  await holdTask(page);
  await page.route(/\/api\/v1\/tasks\?/, (route) =>
    answer(route, { data: [HELD], next_cursor: null, has_more: false }),
  );
  await page.goto(`${run.consoleUrl}/tasks`);
  await page.getByRole('link', { name: HELD.model }).waitFor();
  await pressOn(page, HELD.model);
  await page.getByRole('button', { name: 'Cancel the task' }).waitFor();
  await pressOn(page, 'Cancel the task');
  await page.getByRole('dialog').waitFor();
  const cancelled = page.waitForRequest((request) => request.url().endsWith('/task_held/cancel'));
  await pressOn(page, 'Cancel the task');
  expect((await cancelled).method()).toBe('POST');
  await page.context().close();
});

it('an operator disables a channel, and takes it back, without a mouse', async () => {
  const page = await browser.openAs('operator');
  await page.goto(`${run.consoleUrl}/channels`);
  const row = page.getByRole('row').nth(1);
  await row.waitFor();
  await choose(page, 'Disable');
  await row.getByText('Disabled').waitFor();
  await page.reload();
  await row.waitFor();
  await choose(page, 'Reset');
  await row.getByText('Enabled').waitFor();
  await page.context().close();
});

/** Chooses an action in the menu of the first channel, up to the question that follows. */
async function choose(page: Page, action: string): Promise<void> {
  await pressOn(page, 'Steer');
  await page.getByRole('menuitem', { name: action }).waitFor();
  while ((await page.evaluate('document.activeElement?.textContent')) !== action)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await focusOn(page.getByRole('textbox', { name: 'Reason' }));
  await page.keyboard.type('tried without a mouse');
  await pressOn(page, action);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await focusOn(page.getByRole('button', { name: /^Steer / }).first());
}
