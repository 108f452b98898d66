import type { Page } from 'playwright-core';
import { openBrowser, run, violationsOf, type WebBrowser } from './browser';
import { asHolder, asOperator, endedImage, until } from './facts';
import { ask, choose, confirm, dialogOf, faultAt, fieldOf, press, type } from './hands';

const REASON = 'asked for by telephone';
const TEST_LIMIT_MS = 180_000;

interface Account {
  state: string;
  balance: number;
  submit_per_minute: number | null;
  query_per_minute: number | null;
  priority_class: string;
  marks: string | null;
  unmarked: string | null;
}

interface Entry {
  kind: string;
  amount: number;
  reason: string | null;
  reference: string | null;
}

interface Attempt {
  id: string;
  task_id: string;
  resolution: string | null;
  cost: number | null;
}

/** Keys pressed faster than the page works: what a backspace leaves for its next turn comes between two digits. */
const BACKSPACE_AND_TWO_DIGITS = `(async () => {
  const press = (digit) => document.execCommand('insertText', false, digit);
  const key = new KeyboardEvent('keydown', { key: 'Backspace', bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(key);
  const later = new Promise((resolve) => setTimeout(() => resolve(press('0'))));
  press('9');
  await later;
})()`;

let browser: WebBrowser;
let page: Page;
/** The account of this file's tests alone. */
let accountId: string;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.openAs('operator');
});

afterAll(() => browser.close());

const account = () => asOperator<Account>(page, `/accounts/${accountId}`);
const ledger = () => asOperator<Entry[]>(page, `/accounts/${accountId}/ledger`);
const amountField = () => fieldOf(dialogOf(page), 'Amount in currency units');
const notice = (text: string | RegExp) => page.getByRole('status').getByText(text).last();

/** The browser reports each refusal of the API, too. */
function expectRefusals(count: number): void {
  const faults = browser.faults();
  expect(faults).toEqual(Array.from({ length: count }, () => expect.stringMatching(/40[09]/)));
}

it(
  'an account is opened and topped up, each reference once, and an amount that is none is refused at its field',
  async () => {
    await page.goto(`${run.consoleUrl}/accounts`);
    await press(page, 'New account');
    await type(fieldOf(dialogOf(page), 'Account'), 'Hands');
    await confirm(page, 'New account', REASON);
    await page.waitForURL(/\/accounts\/acct_/);
    accountId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('heading', { level: 1, name: 'Hands' }).waitFor();
    expect(await account()).toMatchObject({ state: 'active', balance: 0 });

    await press(page, 'Top up');
    await type(amountField(), '0');
    await ask(page, 'Book 0', REASON);
    expect(await faultAt(amountField())).toContain('0');
    expect(await violationsOf(page)).toEqual([]);
    expect(await ledger()).toEqual([]);
    await type(amountField(), '12.050');
    await type(fieldOf(dialogOf(page), 'Reference of the payment'), 'INV 42');
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor({ state: 'detached' });
    await notice('Hands can now spend 12.05 currency units.').waitFor();
    await page.getByText('12.05', { exact: true }).first().waitFor();
    expect((await account()).balance).toBe(12.05);
    expect(await ledger()).toMatchObject([{ kind: 'top_up', amount: 12.05, reference: 'INV 42' }]);

    await press(page, 'Top up');
    await type(amountField(), '5');
    await type(fieldOf(dialogOf(page), 'Reference of the payment'), 'INV 42');
    await ask(page, 'Book 5', REASON);
    await faultAt(fieldOf(dialogOf(page), 'Reference of the payment'));
    expect((await account()).balance).toBe(12.05);
    await press(dialogOf(page), 'Cancel');
    expectRefusals(2);
  },
  TEST_LIMIT_MS,
);

it(
  'a balance is corrected down and up by what was typed, never below zero and never without a reason',
  async () => {
    await page.goto(`${run.consoleUrl}/accounts/${accountId}`);
    const correct = () => choose(page, 'Actions', 'Correct the balance');
    await correct();
    await type(amountField(), '-20');
    await ask(page, 'Correct the balance', REASON);
    await faultAt(amountField());
    await type(amountField(), '0');
    await press(dialogOf(page), 'Correct the balance');
    await dialogOf(page).getByText('zero', { exact: false }).last().waitFor();
    await type(amountField(), '-2.05');
    await dialogOf(page).getByText('from 12.05 to 10 currency units', { exact: false }).waitFor();
    for (const reason of ['', '   ']) {
      await ask(page, 'Correct the balance', reason);
      expect(await dialogOf(page).locator('input:invalid').count()).toBe(1);
    }
    expect((await account()).balance).toBe(12.05);
    await confirm(page, 'Correct the balance', REASON);
    await notice('Hands can now spend 10 currency units.').waitFor();
    await correct();
    await type(amountField(), '0.5');
    await confirm(page, 'Correct the balance', 'given back');
    await notice('Hands can now spend 10.5 currency units.').waitFor();
    expect((await account()).balance).toBe(10.5);
    expect(await ledger()).toMatchObject([
      { kind: 'adjust', amount: 0.5, reason: 'given back' },
      { kind: 'adjust', amount: -2.05, reason: REASON },
      { kind: 'top_up' },
    ]);
    await page.getByRole('tab', { name: 'Ledger' }).click();
    await page.getByRole('row').filter({ hasText: '−2.05' }).getByText('Adjusted').waitFor();
    expectRefusals(2);
  },
  TEST_LIMIT_MS,
);

it(
  'limits are changed as they were typed and lifted where they are empty, and zero is refused at its field',
  async () => {
    await page.goto(`${run.consoleUrl}/accounts/${accountId}`);
    await choose(page, 'Actions', 'Name and limits');
    const submissions = fieldOf(dialogOf(page), 'Submissions per minute');
    await type(submissions, '0');
    await ask(page, 'Save the changes', REASON);
    await faultAt(submissions);
    expect(await submissions.inputValue()).toBe('0');
    expect((await account()).submit_per_minute).toBeNull();
    await type(submissions, '120');
    await type(fieldOf(dialogOf(page), 'Reads per minute'), '900');
    await dialogOf(page).getByText('High', { exact: true }).click();
    await dialogOf(page).getByText('Signed', { exact: true }).click();
    await confirm(page, 'Save the changes', REASON);
    await notice('Hands was changed.').waitFor();
    await page.getByText('120', { exact: true }).waitFor();
    expect(await account()).toMatchObject({
      submit_per_minute: 120,
      query_per_minute: 900,
      priority_class: 'high',
      marks: 'signed',
      unmarked: null,
    });
    await choose(page, 'Actions', 'Name and limits');
    await type(submissions, '');
    await confirm(page, 'Save the changes', REASON);
    await page.getByText('no limit', { exact: true }).waitFor();
    expect(await account()).toMatchObject({ submit_per_minute: null, query_per_minute: 900 });
    expectRefusals(1);
  },
  TEST_LIMIT_MS,
);

it(
  'a digit typed at once after a backspace in an empty field stays before the digits that follow it',
  async () => {
    await page.goto(`${run.consoleUrl}/accounts/${accountId}`);
    await choose(page, 'Actions', 'Name and limits');
    const submissions = fieldOf(dialogOf(page), 'Submissions per minute');
    await submissions.click();
    await page.evaluate(BACKSPACE_AND_TWO_DIGITS);
    await submissions.pressSequentially('0');
    expect(await submissions.inputValue()).toBe('900');
    await press(dialogOf(page), 'Cancel');
    expectRefusals(0);
  },
  TEST_LIMIT_MS,
);

it(
  'a suspended account submits nothing until it is resumed, and a closed one never again',
  async () => {
    await page.goto(`${run.consoleUrl}/accounts/${accountId}?tab=keys`);
    await press(page, 'New key');
    await type(fieldOf(dialogOf(page), 'Name'), 'of hands');
    await ask(page, 'New key', REASON);
    const key = (await dialogOf(page).getByText(/^mg_/).textContent()) ?? '';
    await press(dialogOf(page), 'I have kept it');
    const submit = async () => {
      const body = { model: 'imagegen-2.5-flare', prompt: 'a pier' };
      const { status, body: answer } = await asHolder('/images/generations', body, key.trim());
      return answer.error?.reason ?? status;
    };
    const turn = async (action: string, state: string) => {
      await choose(page, 'Actions', action);
      await confirm(page, action, REASON);
      await page.getByText(state, { exact: true }).first().waitFor();
      expect((await account()).state).toBe(state.toLowerCase());
    };
    await turn('Suspend', 'Suspended');
    expect(await submit()).toBe('account_suspended');
    await turn('Resume', 'Active');
    // A process remembers for seconds that the key was of a suspended account.
    await until(submit, 200);
    await turn('Close for good', 'Closed');
    expect(await submit()).toBe('account_closed');
    expect(await page.getByRole('button', { name: 'Top up' }).count()).toBe(0);
    expectRefusals(0);
  },
  TEST_LIMIT_MS,
);

it(
  'an attempt whose outcome nobody knows is shown with what its vendor answered, and resolved as paid or as not paid',
  async () => {
    const lost = { model: 'imageseed-5.0', prompt: 'a lighthouse, lost [[sim:reset-after]]' };
    const tasks = [await endedImage(lost), await endedImage(lost)];
    const attemptOf = async (task: string | undefined, resolved: boolean) => {
      const attempts = await asOperator<Attempt[]>(page, `/attempts?resolved=${resolved}`);
      return attempts.find(({ task_id: id }) => id === task);
    };
    const resolve = async (task = '') => {
      await press(page.getByRole('row').filter({ hasText: task.slice(-6) }), 'Resolve');
      await dialogOf(page).getByText('What the vendor said').waitFor();
    };
    await page.goto(`${run.consoleUrl}/quarantine`);
    await resolve(tasks[0]);
    const cost = fieldOf(dialogOf(page), 'What the vendor charges, in currency units');
    await type(cost, '-1');
    await ask(page, 'Was paid', REASON);
    await faultAt(cost);
    expect(await violationsOf(page)).toEqual([]);
    expect(await attemptOf(tasks[0], false)).toMatchObject({ resolution: null });
    await type(cost, '0.02');
    await confirm(page, 'Was paid', REASON);
    await notice('It is written down as paid.').waitFor();

    await resolve(tasks[1]);
    await dialogOf(page).getByText('Was not paid', { exact: true }).click();
    await confirm(page, 'Was not paid', REASON);
    await notice('It is written down as not paid.').waitFor();
    await page.getByText('No outcome is unknown.').waitFor();
    expect(await attemptOf(tasks[0], true)).toMatchObject({ resolution: 'paid', cost: 0.02 });
    expect(await attemptOf(tasks[1], true)).toMatchObject({ resolution: 'not_paid', cost: 0 });
    await page.getByRole('checkbox', { name: 'Resolved ones too' }).click();
    await page.getByRole('cell', { name: 'Was paid' }).first().waitFor();
    await page.getByRole('cell', { name: 'Was not paid' }).first().waitFor();
    expectRefusals(1);
  },
  TEST_LIMIT_MS,
);

it(
  'a charge is given back by hand as far as was typed, once, and never more than was charged',
  async () => {
    const id = await endedImage({ prompt: 'a lighthouse to be refunded' });
    const refunds = async () => {
      const { ledger: entries } = await asOperator<{ ledger: Entry[] }>(page, `/tasks/${id}`);
      return entries.filter(({ kind }) => kind === 'adjust').map(({ amount }) => amount);
    };
    await page.goto(`${run.consoleUrl}/tasks/${id}`);
    await press(page, 'Refund');
    await type(amountField(), '500');
    await ask(page, 'Refund 500', REASON);
    await faultAt(amountField());
    expect(await amountField().inputValue()).toBe('500');
    expect(await refunds()).toEqual([]);
    await type(amountField(), '0.001');
    await confirm(page, 'Refund 0.001', REASON);
    await notice(/^0.001 currency units were refunded; /).waitFor();
    await page.getByText('Refunded by hand').waitFor();
    await page.getByText(/ charged, 0\.001 given back by hand$/).waitFor();
    expect(await refunds()).toEqual([0.001]);
    expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
    expectRefusals(1);
  },
  TEST_LIMIT_MS,
);
