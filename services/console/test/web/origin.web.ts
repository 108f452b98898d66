import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, run, sidewaysPx, violationsOf, type WebBrowser } from './browser';
import { endedImage, held, until } from './facts';
import { press } from './hands';

const TEST_LIMIT_MS = 180_000;
/** Two lines of a table are higher. */
const LINE_PX = 28;
const SIGNED = join(__dirname, '../../../../packages/provenance/test/files/signed.png');

let browser: WebBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

/** The newest result, once what it is like has been kept. */
async function ownImage(): Promise<{ id: string; buffer: Buffer }> {
  const id = await endedImage({ prompt: 'a lighthouse whose origin is asked for' });
  const { result } = await held<{ result: { images: { url: string[] }[] } }>(`/tasks/${id}`);
  const buffer = Buffer.from(await (await fetch(result.images[0]?.url[0] ?? '')).arrayBuffer());
  await until(async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(buffer)]), 'a.png');
    const headers = { authorization: `Bearer ${run.apiKey}` };
    const answer = await fetch(`${run.baseUrl}/v1/provenance/verify`, { method: 'POST', headers, body: form });
    return ((await answer.json()) as { data: { results: { task_id: string }[] } }).data.results.some(
      ({ task_id: task }) => task === id,
    );
  }, true);
  return { id, buffer };
}

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const choice = page.waitForEvent('filechooser');
  await press(page, 'Choose a file');
  await (await choice).setFiles({ name, mimeType: 'image/png', buffer });
}

/** As a person lets a file go over the page. */
async function drop(page: Page, name: string, buffer: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (letter) => letter.charCodeAt(0));
    data.items.add(new File([bytes], '${name}'));
    return data;
  })()`);
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
}

it(
  'a customer chooses or drops a file, and sees its manifest, or the own result that it is, with a way to its task',
  async () => {
    const page = await browser.openAs('customer');
    await page.goto(`${run.consoleUrl}/origin`);
    await choose(page, 'signed.png', readFileSync(SIGNED));
    const states = page.getByRole('table', { name: 'What the file states' });
    await states.getByText('Example Models', { exact: true }).waitFor();
    await states.getByText('Valid', { exact: true }).waitFor();
    const { id, buffer } = await ownImage();
    await drop(page, 'mine.png', buffer);
    await page.getByText('mine.png').waitFor();
    const results = page.getByRole('table', { name: 'Results that it resembles' });
    const row = results.getByRole('row').filter({ has: page.locator(`a[href="/tasks/${id}"]`) });
    await row.getByText('The same file').waitFor();
    expect([await violationsOf(page), await sidewaysPx(page)]).toEqual([[], 0]);
    await choose(page, 'note.png', Buffer.from([0, 1, 2, 3]));
    await page.getByRole('alert').waitFor();
    expect(browser.faults()).toEqual([expect.stringContaining('400')]);
    await choose(page, 'mine.png', buffer);
    await row.getByRole('link').click();
    await page.waitForURL(`${run.consoleUrl}/tasks/${id}`);
    await page.context().close();
  },
  TEST_LIMIT_MS,
);

it(
  'an operator finds whose result a file is, in any account',
  async () => {
    const page = await browser.openAs('operator', { width: 360 });
    const { id, buffer } = await ownImage();
    await page.goto(`${run.consoleUrl}/origin`);
    await choose(page, 'found.png', buffer);
    const row = page.getByRole('row').filter({ has: page.locator(`a[href="/tasks/${id}"]`) });
    await row.getByText('The same file').waitFor();
    await row.locator(`a[href="/accounts/${run.accountId}"]`).waitFor();
    expect((await row.locator(`a[href="/tasks/${id}"]`).boundingBox())?.height).toBeLessThan(LINE_PX);
    expect([await violationsOf(page), await sidewaysPx(page)]).toEqual([[], 0]);
    expect(browser.faults()).toEqual([]);
    await page.context().close();
  },
  TEST_LIMIT_MS,
);
