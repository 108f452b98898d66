import { BROWSER_ARGUMENTS, findBrowser } from '@mediagate/testkit';
import { chromium } from 'playwright-core';
import { startTestApi, type TestApi } from '../../../test/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

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

  it('runs the script of the package, which is not sent again to who has it', async () => {
    const { status, headers, body } = await api.get('/docs/redoc.js');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
    const etag = headers.get('etag') ?? '';
    expect((await api.get('/docs/redoc.js', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});

/** Its maker's mark, which the policy does not let it load. */
const BLOCKED = 'https://cdn.redoc.ly/redoc/';
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
        if (message.type() === 'error' && !message.text().includes(BLOCKED)) faults.push(message.text());
      });
      page.on('request', (request) => {
        if (![api.url, 'data:', BLOCKED].some((start) => request.url().startsWith(start))) faults.push(request.url());
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
