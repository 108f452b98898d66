import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { openBrowser, run, tabTo, violationsOf, type WebBrowser } from './browser';
import { asHolder, callbacksAt, endedImage, held, type ReceivedCallback, receiverAt, until } from './facts';
import { dialogOf, faultAt, fieldOf, focusOn, press, type } from './hands';

const TEST_LIMIT_MS = 180_000;

let browser: WebBrowser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.openAs('customer');
});

afterAll(() => browser.close());

/** The browser reports each refusal of the API, too. */
function expectRefusals(...statuses: number[]): void {
  expect(browser.faults()).toEqual(statuses.map((status) => expect.stringContaining(String(status))));
}

it(
  'a file is uploaded, found under its id and deleted, and one that is no medium is refused by name',
  async () => {
    const files = () => held<{ id: string; content_type: string }[]>('/files');
    const before = await files();
    await page.goto(`${run.consoleUrl}/files`);
    const pick = async (name: string, buffer: Buffer) => {
      const choice = page.waitForEvent('filechooser');
      await press(page, 'Upload a file');
      await (await choice).setFiles({ name, mimeType: 'image/png', buffer });
    };
    await pick('note.png', Buffer.from([0, 1, 2, 3]));
    const refusal = page.getByRole('status').locator('[data-kind="failed"]');
    await refusal.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await files()).toEqual(before);
    await press(refusal, 'Close');
    // The browser tells of a file that is picked only where another one is chosen: none may be.
    expect(await page.locator('input[type="file"]').inputValue()).toBe('');
    await pick('dot.png', await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } }));
    const notice = page.getByText(/^The file is kept as /);
    const id = /file_\w+/.exec((await notice.textContent()) ?? '')?.[0] ?? '';
    expect((await files()).map((file) => file.id)).toContain(id);
    const remove = page.getByRole('button', { name: `Delete ${id}` });
    await remove.click();
    await press(dialogOf(page), 'No, keep it');
    expect((await asHolder(`/files/${id}`)).status).toBe(200);
    await remove.click();
    await press(dialogOf(page), 'Delete');
    await remove.waitFor({ state: 'detached' });
    expect((await asHolder(`/files/${id}`)).status).toBe(404);
    expectRefusals(400);
  },
  TEST_LIMIT_MS,
);

interface Secret {
  secret: string;
  previous_valid_until: number | null;
}

/** Checks a callback as receivers do: some signature of the header is by this secret. */
function isSignedBy(secret: string, { headers, body }: ReceivedCallback): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').includes(signature);
}

it(
  'a receiver is tested, and while the secret is replaced what it gets is signed by both',
  async () => {
    const secret = () => held<Secret>('/webhooks/secret');
    const { secret: before } = await secret();
    await page.goto(`${run.consoleUrl}/callbacks`);
    const address = fieldOf(page, 'Address of the receiver');
    const send = () => press(page.getByRole('region', { name: 'Test a receiver' }), 'Send');
    await type(address, 'http://10.0.0.1/hooks');
    await send();
    const outcome = page.getByRole('region', { name: 'Test a receiver' }).getByRole('status');
    await outcome.getByText('Not delivered').waitFor();
    await outcome.getByText('The host is not a public address.', { exact: false }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await type(address, receiverAt('tested'));
    await page.keyboard.press('Enter');
    await outcome.getByText('Delivered', { exact: true }).waitFor();
    const [first] = await callbacksAt('tested', 1);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ test: true });
    expect(first && isSignedBy(before, first)).toBe(true);

    await press(page, 'Replace');
    await dialogOf(page).getByRole('combobox', { name: 'Both secrets sign for' }).click();
    await page.getByRole('option', { name: '1 hour', exact: true }).click();
    await press(dialogOf(page), 'Replace');
    await page.getByText('Callbacks are signed by the new secret.').waitFor();
    const after = await secret();
    expect(after.secret).not.toBe(before);
    expect(after.previous_valid_until).toBeGreaterThan(Date.now() / 1000 + 3500);
    await page.getByText(after.secret).waitFor();
    await page.getByText('The secret before it also signs until').waitFor();
    await send();
    const second = (await callbacksAt('tested', 2)).at(-1);
    expect([after.secret, before].map((each) => second && isSignedBy(each, second))).toEqual([true, true]);

    await press(page, 'Replace');
    await press(dialogOf(page), 'Replace');
    await dialogOf(page).getByRole('alert').waitFor();
    expect((await secret()).secret).toBe(after.secret);
    expectRefusals(409);
  },
  TEST_LIMIT_MS,
);

interface Key {
  id: string;
  key: string;
  quota: number | null;
  submit_per_minute: number;
  query_per_minute: number;
  max_concurrent: number | null;
  revoked_at: number | null;
}

it(
  'the quota of a key is raised, with its limits, as they were typed, and a revoked key opens nothing any more',
  async () => {
    const made = (await asHolder('/keys', { name: 'of hands', quota: 1 })).body.data as Key;
    const key = async () => {
      const keys = [...(await held<Key[]>('/keys')), ...(await held<Key[]>('/keys?revoked=true'))];
      return keys.find(({ id }) => id === made.id);
    };
    await page.goto(`${run.consoleUrl}/keys`);
    await press(page, 'Change of hands');
    const quota = fieldOf(dialogOf(page), 'Quota, in currency units');
    await dialogOf(page).getByText('0 used and reserved').waitFor();
    await type(quota, '-1');
    await press(dialogOf(page), 'Save the changes');
    await faultAt(quota);
    expect(await violationsOf(page)).toEqual([]);
    expect(await key()).toMatchObject({ quota: 1 });
    await type(quota, '20.50');
    await type(fieldOf(dialogOf(page), 'Tasks of a family at once'), '3');
    await type(fieldOf(dialogOf(page), 'Submissions per minute'), '');
    await type(fieldOf(dialogOf(page), 'Reads per minute'), '60');
    await press(dialogOf(page), 'Save the changes');
    await dialogOf(page).waitFor({ state: 'detached' });
    await focusOn(page.getByRole('button', { name: 'Change of hands' }));
    await page.getByRole('row').filter({ hasText: 'of hands' }).getByText('20.50 / 20.50').waitFor();
    const changed = { quota: 20.5, max_concurrent: 3, submit_per_minute: 300, query_per_minute: 60 };
    expect(await key()).toMatchObject(changed);

    await tabTo(page, 'Revoke of hands');
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    await tabTo(page, 'Revoke');
    await page.keyboard.press('Enter');
    await page.getByText('of hands is revoked.').waitFor();
    await page.getByRole('button', { name: 'Revoke of hands' }).waitFor({ state: 'detached' });
    expect((await asHolder('/keys', undefined, made.key)).status).toBe(401);
    expect(await key()).toMatchObject({ ...changed, revoked_at: expect.any(Number) });
    expectRefusals(400);
  },
  TEST_LIMIT_MS,
);

interface Task {
  id: string;
  input: Record<string, unknown>;
}

it(
  'callbacks that failed are sent again together, by one request',
  async () => {
    const receiver = receiverAt('together');
    const script = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '[410, 410]' };
    expect((await fetch(`${receiver}/script`, script)).status).toBe(200);
    const ids = [
      await endedImage({ prompt: 'a', webhook: receiver }),
      await endedImage({ prompt: 'b', webhook: receiver }),
    ];
    const failed = async () => (await held<{ id: string }[]>('/tasks?callback=failed')).map(({ id }) => id);
    await until(async () => (await failed()).filter((id) => ids.includes(id)).length, 2);
    const asked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/redeliver') && asked.push(request.postData() ?? ''));
    await page.goto(`${run.consoleUrl}/callbacks`);
    await press(page, 'Send all again');
    expect(await violationsOf(page)).toEqual([]);
    await press(dialogOf(page), 'Send all again');
    await page.getByText(/callbacks are sent again\.$/).waitFor();
    await callbacksAt('together', 4);
    expect(asked).toHaveLength(1);
    expect((JSON.parse(asked[0] ?? '') as { task_ids: string[] }).task_ids).toEqual(expect.arrayContaining(ids));
    expectRefusals();
  },
  TEST_LIMIT_MS,
);

it(
  'a task is run again with changes: what was not changed is as it was, and what cannot be is refused at its field',
  async () => {
    const source = await endedImage({ prompt: 'a lighthouse by day', quality: 'low', output_format: 'webp' });
    const newest = async () => (await held<Task[]>('/tasks?limit=1'))[0];
    await page.goto(`${run.consoleUrl}/tasks/${source}`);
    await page.getByRole('link', { name: 'Run again with changes' }).click();
    await type(page.getByRole('textbox', { name: 'prompt' }), 'a lighthouse by night');
    const count = fieldOf(page, 'n');
    await type(count, '99');
    await faultAt(count);
    await press(page, 'Run');
    await faultAt(count);
    expect((await newest())?.id).toBe(source);
    await type(count, '1');
    await press(page, 'Run');
    await page.getByRole('button', { name: 'Open image 1' }).waitFor();
    await page.getByRole('link', { name: 'Open the task' }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    const made = await newest();
    expect(page.url()).toContain(made?.id ?? 'none');
    const { input } = await held<Task>(`/tasks/${source}?include=input`);
    const again = await held<Task>(`/tasks/${made?.id}?include=input`);
    expect(again.input).toEqual({ ...input, prompt: 'a lighthouse by night' });
    expect(browser.faults().length).toBeGreaterThan(0);
  },
  TEST_LIMIT_MS,
);
