import type { Page } from 'playwright-core';
import { totpAt } from '../totp-at';
import { openBrowser, run, takeScreenshot, violationsOf, type WebBrowser } from './browser';
import { asOperator } from './facts';

const SUITE_LIMIT_MS = 180_000;
const PASSWORD = 'a long enough secret';

let browser: WebBrowser;

beforeAll(async () => {
  browser = await openBrowser();
}, SUITE_LIMIT_MS);

afterAll(() => browser.close());

/** Opens the menu of a user's row, and what it offers under a name. */
async function choose(page: Page, email: string, act: string): Promise<void> {
  await page.getByRole('row').filter({ hasText: email }).getByRole('button').click();
  await page.getByRole('menuitem', { name: act }).click();
}

async function giveReason(page: Page, reason: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: action, exact: true }).click();
}

async function enter(page: Page, email: string, code?: string): Promise<void> {
  await page.goto(run.consoleUrl);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  if (code !== undefined) {
    await page.getByLabel(/code/i).fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
}

it(
  'a person is invited, joins, sets up a second factor, ends other sessions and is disabled, which the audit log tells',
  async () => {
    const email = `kim-${Date.now()}@example.com`;
    const admin = await browser.openAs('operator');
    await admin.goto(`${run.consoleUrl}/users`);
    await admin.getByRole('button', { name: 'Invite somebody' }).click();
    const address = admin.getByLabel('E-mail address', { exact: true });
    await address.fill('kim');
    await admin.getByLabel('Name', { exact: true }).fill('Kim Lee');
    await giveReason(admin, 'a new colleague', 'Invite somebody');
    await address.and(admin.locator(':invalid')).waitFor();
    expect(await asOperator(admin, '/users?email=kim')).toEqual([]);
    await address.fill(email);
    expect(await violationsOf(admin)).toEqual([]);
    await giveReason(admin, 'a new colleague', 'Invite somebody');
    const link = (await admin.getByText('/invitation#').textContent()) ?? '';
    await takeScreenshot(admin, 'user-invited');
    await admin.getByRole('button', { name: 'I have kept it' }).click();

    const own = await browser.open();
    await own.goto(link.trim());
    await own.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await own.getByRole('button').last().click();
    expect(await own.title()).toBe('Join mediagate · mediagate');
    expect(await own.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/?account=operators');
    await enter(own, email);
    const codes = await setUpSecondFactor(own);
    const other = await browser.open();
    await enter(other, email, codes[0]);
    await own.reload();
    await own.getByRole('button', { name: 'End the others' }).click();
    await own.getByRole('dialog').getByRole('button', { name: 'End the others' }).click();
    await own.getByText('The other sessions have ended.').waitFor();
    await other.reload();
    await other.getByLabel('E-mail').waitFor();

    await admin.goto(`${run.consoleUrl}/users?email=kim-`);
    await choose(admin, email, 'Disable');
    await giveReason(admin, 'has left', 'Disable');
    await admin.getByRole('row').filter({ hasText: email }).getByText('Disabled').last().waitFor();
    await own.reload();
    await own.getByLabel('E-mail').waitFor();

    await admin.goto(`${run.consoleUrl}/log?action=user.disable`);
    await admin.getByRole('link', { name: 'user.disable' }).first().click();
    const entry = admin.getByRole('dialog');
    await entry.getByText('has left').waitFor();
    await entry.getByText('operator@demo.localhost').waitFor();
    await entry.getByRole('row', { name: /disabled_at/ }).waitFor();
    expect(await violationsOf(admin)).toEqual([]);
    await takeScreenshot(admin, 'log-entry');

    await admin.goto(`${run.consoleUrl}/users?email=kim-`);
    await choose(admin, email, 'Enable');
    await giveReason(admin, 'is back', 'Enable');
    await admin.getByRole('row').filter({ hasText: email }).getByText('Active').last().waitFor();
    const [user] = await asOperator<{ disabled_at: number | null }[]>(admin, `/users?email=${email}`);
    expect(user).toMatchObject({ disabled_at: null });
    await enter(other, email, codes[1]);
  },
  SUITE_LIMIT_MS,
);

async function setUpSecondFactor(page: Page): Promise<string[]> {
  await page.goto(`${run.consoleUrl}/profile`);
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await takeScreenshot(page, 'second-factor');
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Code that the app shows').fill('000000');
  await dialog.getByRole('button', { name: 'Switch it on' }).click();
  await dialog.getByText('The code is wrong.', { exact: false }).waitFor();
  await dialog.getByLabel('Code that the app shows').fill(totpAt(secret.trim(), Date.now()));
  await dialog.getByRole('button', { name: 'Switch it on' }).click();
  await dialog.getByRole('button', { name: 'I have kept them' }).waitFor();
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  await takeScreenshot(page, 'recovery-codes');
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('On', { exact: true }).waitFor();
  return codes;
}

it(
  'whoever opens the queues signs in and is there, with the board in the page’s colours',
  async () => {
    const page = await browser.open({ theme: 'dark' });
    await page.goto(`${run.consoleUrl}/queues?queue=image`);
    await page.getByLabel('E-mail').fill('operator@demo.localhost');
    await page.getByRole('textbox', { name: 'Password' }).fill(run.consolePassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor();
    const board = page.frameLocator('iframe');
    await board.locator('body.dark-mode').waitFor();
    await board.getByRole('link', { name: 'image' }).first().waitFor();
    await takeScreenshot(page, 'queues');
    await page.context().close();
  },
  SUITE_LIMIT_MS,
);
