import type { Page } from 'playwright-core';
import { openBrowser, run, violationsOf, type WebBrowser } from './browser';
import { asOperator, callbacksAt, endedImage, receiverAt } from './facts';
import { ask, confirm, dialogOf, faultAt, fieldOf, press, type } from './hands';

const REASON = 'the vendor moves house';
const CHANNEL = 'videos-skyreels';
const TEST_LIMIT_MS = 180_000;

let browser: WebBrowser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.openAs('operator');
});

afterAll(() => browser.close());

interface Channel {
  state: string;
  weight: number | null;
  override: { reason: string | null } | null;
}

it(
  'a channel is drained, disabled and enabled again, and a weight that is none is refused at its field',
  async () => {
    const channel = () => asOperator<Channel>(page, `/channels/${CHANNEL}`);
    await page.goto(`${run.consoleUrl}/channels/${CHANNEL}`);
    await press(page, `Drain ${CHANNEL}`);
    await confirm(page, 'Drain', REASON);
    await page.getByText('Draining', { exact: true }).waitFor();
    expect(await channel()).toMatchObject({ state: 'draining', override: { reason: REASON } });
    await press(page, `Disable ${CHANNEL}`);
    await confirm(page, 'Disable', REASON);
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await channel()).toMatchObject({ state: 'disabled' });
    await press(page, `Weigh ${CHANNEL}`);
    const weight = fieldOf(dialogOf(page), 'Weight');
    await type(weight, '1001');
    await ask(page, 'Weigh', REASON);
    await faultAt(weight);
    expect(await violationsOf(page)).toEqual([]);
    expect((await channel()).weight).toBe(1);
    await press(dialogOf(page), 'Cancel');
    await press(page, `Reset ${CHANNEL}`);
    await confirm(page, 'Reset', REASON);
    await page.getByText('Enabled', { exact: true }).waitFor();
    expect(await channel()).toMatchObject({ state: 'enabled', override: null });
    expect(browser.faults()).toEqual([expect.stringContaining('400')]);
  },
  TEST_LIMIT_MS,
);

it(
  'callbacks that are chosen are sent again, those alone, under the same ids',
  async () => {
    const name = 'chosen';
    const submit = (prompt: string) => endedImage({ prompt, webhook: receiverAt(name) });
    const tasks = [await submit('a pier'), await submit('a quay'), await submit('a mole')];
    await callbacksAt(name, tasks.length);
    const attemptsOf = async (task: string) => {
      const [delivery] = await asOperator<{ attempts: unknown[] }[]>(page, `/deliveries?task_id=${task}`);
      return delivery?.attempts.length;
    };
    await page.goto(`${run.consoleUrl}/deliveries?state=delivered`);
    const chosen = tasks.slice(0, 2);
    for (const task of chosen) {
      const row = page.getByRole('row').filter({ has: page.locator(`a[href="/tasks/${task}"]`) });
      await row.getByRole('checkbox').click();
    }
    await press(page, 'Send the 2 chosen again');
    await confirm(page, 'Send again', REASON);
    await page.getByText('2 callbacks are sent again.').waitFor();
    const received = await callbacksAt(name, tasks.length + chosen.length);
    expect(
      received
        .slice(tasks.length)
        .map(({ headers }) => headers['webhook-id'])
        .sort(),
    ).toEqual(chosen.toSorted());
    expect(await page.getByRole('button', { name: /chosen again/ }).count()).toBe(0);
    for (const task of chosen) expect(await attemptsOf(task)).toBe(2);
    expect(await attemptsOf(tasks[2] ?? '')).toBe(1);
    expect(browser.faults()).toEqual([]);
  },
  TEST_LIMIT_MS,
);

it('callbacks that were chosen in one list are not sent from another', async () => {
  await page.goto(`${run.consoleUrl}/deliveries?state=delivered`);
  await page
    .getByRole('checkbox', { name: /^Choose the callback of / })
    .first()
    .click();
  await page.getByRole('button', { name: 'Send the 1 chosen again' }).waitFor();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Given up' }).click();
  await page.getByRole('button', { name: 'Send all of these again' }).waitFor();
  expect(browser.faults()).toEqual([]);
});
