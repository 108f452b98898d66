import type { JsonObject } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import fc from 'fast-check';
import { catalogue } from './shared/known-api';
import { startTestApi } from './test-api';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller({ balance: '1000000' }));

/** Runs of each property, with other bodies every time; many more in CI. */
const RUNS = process.env['CI'] === undefined ? 20 : 60;
const PATHS = [
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/videos/generations',
  '/v1/music/generations',
  '/v1/music/generations/sample',
  '/v1/imgtool/generations',
  '/v1/imgtool/generations/video',
  '/mj/submit/imagine',
  '/mj/submit/action',
  '/v1/uploads/images',
  '/v1/tasks/batch',
];
const fields = [
  ...new Set(catalogue.entries.flatMap((entry) => Object.keys(entry.schema['properties'] as JsonObject))),
];

/** Values that are right for some field, or nearly so, or for none. */
const value = fc.oneof(
  fc.constantFrom(
    0,
    1,
    2,
    4,
    5,
    16,
    -1,
    1.5,
    1e21,
    true,
    false,
    null,
    '',
    ' ',
    'auto',
    '1:1',
    '2k',
    '4K',
    'png',
    'webp',
  ),
  fc.constantFrom('1024x1024', '16x16', 'x', '99999x99999', 'high', 'max', 'transparent', 'https://example.com/a.png'),
  fc.constantFrom(
    'http://127.0.0.1/',
    'data:image/png;base64,',
    'data:image/png;base64,iVBORw0KGgo=',
    '__proto__',
    'en',
  ),
  fc.constantFrom<JsonObject[]>(
    [{ url: 'https://example.com/a.png', role: 'start' }],
    [{ tag: '@a', type: 'reference', video_url: 'https://example.com/a.mp4', image_urls: [] }],
    [{ index: 1, prompt: ' ', duration: 5, name: null }],
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.array(fc.constantFrom('https://example.com/a.png', 'http://localhost/', '', 1, null), { maxLength: 20 }),
  fc.jsonValue({ maxDepth: 4 }),
);
const body = fc
  .tuple(
    fc.constantFrom(...catalogue.entries.map((entry) => entry.id), 'imagefast-ext', 'unknown', '', 7),
    fc.dictionary(fc.constantFrom(...fields, 'webhook', 'language', 'constructor', 'toString', 'extra'), value),
    fc.boolean(),
  )
  .map(([model, input, withPrompt]) => ({ ...(withPrompt ? { prompt: 'a boat' } : {}), ...input, model }));

/** Counts of rows before the request under test. */
let rows: Record<string, number>;
beforeEach(async () => {
  rows = await api.countRows();
});

async function expectSound(path: string, content: unknown, headers: Record<string, string> = {}): Promise<void> {
  const { status, body: answer } = await api.post(path, content, { key: caller.key, headers });
  const before = rows;
  rows = await api.countRows();
  if (status === 200) return;
  expect([400, 402, 404, 413, 415, 422]).toContain(status);
  expect(answer).toEqual(errorOf(path, status));
  expect(rows).toEqual(before);
}

/** The shape of an error on the path. */
function errorOf(path: string, code: number): object {
  const text = expect.any(String);
  const blame = expect.objectContaining({ reason: text });
  if (path.startsWith('/mj/'))
    return { code: expect.any(Number), description: text, failReason: text, result: null, properties: blame };
  if (path.startsWith('/v1/imgtool/'))
    return { error: expect.objectContaining({ message: text, type: text, reason: text }) };
  return { error: expect.objectContaining({ code, message: text, type: text, reason: text }) };
}

describe('whatever is sent', () => {
  it.each(PATHS)('as JSON to %s is accepted, or refused with a 4xx that leaves no trace', async (path) => {
    await fc.assert(
      fc.asyncProperty(body, (content) => expectSound(path, content)),
      { numRuns: RUNS },
    );
  });

  it.each(PATHS)('as bytes that claim to be JSON to %s is refused with a 4xx', async (path) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(encode)), (bytes) =>
        expectSound(path, bytes),
      ),
      { numRuns: RUNS },
    );
  });

  it.each(['/v1/images/edits', '/v1/uploads/images'])(
    'as bytes that claim to be a form to %s is refused with a 4xx',
    async (path) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=b' };
      const line = fc.oneof(
        fc.constantFrom('--b', '--b--', '', 'Content-Disposition: form-data; name="file"; filename="a.png"'),
        fc.constantFrom('Content-Disposition: form-data; name="image"', 'Content-Disposition: form-data; name=""'),
        fc.constantFrom('Content-Type: application/octet-stream', 'Content-Type: text/plain; charset=utf-16', 'a: b'),
        fc.string({ unit: 'binary', maxLength: 30 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(line, { maxLength: 12 }), (lines) =>
          expectSound(path, encode(lines.join('\r\n')), headers),
        ),
        { numRuns: RUNS },
      );
    },
  );
});

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
