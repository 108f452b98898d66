import { BROWSER_ARGUMENTS, findBrowser, forAllTests } from '@mediagate/testkit';
import { chromium } from 'playwright-core';
import { startTestApi } from '../../../../test/test-api';

const api = forAllTests(startTestApi);

describe('GET /docs', () => {
  it('names nothing outside of the service, and lets nothing else in', async () => {
    const { status, headers, body } = await api.get('/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).not.toMatch(/https?:|src="\/\//);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect((await api.get('/docs', { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(Buffer.byteLength(body)),
    );
  });

  it('names its script by the content, to be kept for good and never asked for twice', async () => {
    const path = await scriptPath();
    const { status, headers } = await api.get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = headers.get('etag') ?? '';
    expect((await api.get(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await api.get('/docs/redoc.0000000000000000.js')).status).toBe(404);
  });

  it('sends the script in the smallest form that the reader takes', async () => {
    const path = await scriptPath();
    const answers = await Promise.all(
      ['br, gzip', 'gzip', 'br;q=0', ''].map((accepted) => api.get(path, { headers: { 'Accept-Encoding': accepted } })),
    );
    const forms = answers.map(({ headers }) => [headers.get('content-encoding'), headers.get('vary')]);
    expect(forms).toEqual([
      ['br', 'Accept-Encoding'],
      ['gzip', 'Accept-Encoding'],
      [null, 'Accept-Encoding'],
      [null, 'Accept-Encoding'],
    ]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const sizes = answers.map(({ headers }) => Number(headers.get('content-length')));
    expect(sizes[0]).toBeLessThan(sizes[1] as number);
    expect(sizes[1]).toBeLessThan((sizes[2] as number) / 2);
    expect(sizes[2]).toBe(Buffer.byteLength(answers[2]?.body));
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(3);
  });

  it('has a limit for each address', async () => {
    const other = await startTestApi();
    try {
      const asked = Array.from({ length: 130 }, () => other.get('/docs', { method: 'HEAD' }));
      const refused = (await Promise.all(asked)).filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await other.stop();
    }
  });
});

async function scriptPath(): Promise<string> {
  const { body } = await api.get('/docs');
  return /src="([^"]+)"/.exec(body)?.[1] ?? '';
}

const STEP_LIMIT_MS = 60_000;

const program = findBrowser();
if (program === undefined) {
  process.stderr.write('SKIPPED: no browser is here and none could be installed, so /docs was not seen in one.\n');
}
const itWithBrowser = program === undefined ? it.skip : it;

itWithBrowser(
  'a browser shows every group of operations, and asks nobody but the service',
  async () => {
    const faults: string[] = [];
    const browser = await chromium.launch({ executablePath: program as string, args: BROWSER_ARGUMENTS });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(STEP_LIMIT_MS);
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      page.on('request', (request) => {
        if (![api.url, 'data:'].some((start) => request.url().startsWith(start))) faults.push(request.url());
      });
      await page.goto(`${api.url}/docs`);
      const { body } = await api.get('/openapi.json');
      for (const { name } of body.tags) await page.getByText(name, { exact: true }).first().waitFor();
      await page.getByText('/v1/tasks/{id}/lineage').first().waitFor();
    } finally {
      await browser.close();
    }
    expect(faults).toEqual([]);
  },
  2 * STEP_LIMIT_MS,
);
