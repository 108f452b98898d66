import type { JsonObject, Reason } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, startTestApi } from '../../../../test/test-api';
import { noisyPngOf, pngOf } from '../../../../test/test-images';

const api = forAllTests(() => startTestApi({ served: ['imagegen-2.5-flare', 'imagegen-2', 'imageseed-4.0'] }));
const caller = forAllTests(() => api.createCaller());
let rows: Record<string, number>;

beforeEach(async () => {
  rows = await api.countRows();
});
afterEach(async () => {
  // Whatever was wrong, nothing of it may be in the books or in the storage.
  expect(await api.countRows()).toEqual(rows);
});

const submit = (body: unknown, headers: Record<string, string> = {}) =>
  api.post('/v1/images/generations', body, { key: caller.key, headers });

const without = (field: string): JsonObject => {
  const { [field]: _, ...rest } = SMALL_IMAGE;
  return rest;
};

const GIF =
  'R0lGODlhQABAAIAAAExpcTNmmSH5BAUAAAAALAAAAABAAEAAAAJFjI+py+0Po5y02ouz3rz7D4biSJbmiabqyrbuC8fyTNf2jef6zvf+DwwKh8Si8YhMKpfMpvMJjUqn1Kr1is1qt9yuN1AAADs=';
const AVIF =
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAACUAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAAEAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAtbWRhdBIACgk4FX/9pAQ0GkAyFh/yYoTgABYAQJe/ws3TezJaNzQu0EA=';

describe('POST /v1/images/generations with bad parameters', () => {
  it.each<[why: string, body: JsonObject, named: string, reason?: Reason]>([
    ['no prompt', without('prompt'), 'prompt', 'missing_parameter'],
    ['n as a string', { ...SMALL_IMAGE, n: '2' }, 'n'],
    [
      'transparent jpeg',
      { ...SMALL_IMAGE, background: 'transparent', output_format: 'jpeg' },
      'background',
      'conflicting_parameters',
    ],
    ['a webhook that is no string', { ...SMALL_IMAGE, webhook: 1 }, 'webhook'],
    ['a language that is no string', { ...SMALL_IMAGE, language: ['en'] }, 'language'],
    ['image_urls that is no list', { ...SMALL_IMAGE, image_urls: 'https://example.com/a.png' }, 'image_urls'],
    [
      'localhost',
      { ...SMALL_IMAGE, image_urls: ['https://example.com/', 'http://localhost/a'] },
      'image_urls[1]',
      'bad_media',
    ],
  ])('refuses %s, naming the field', async (_why, body, named, reason = 'invalid_parameter') => {
    const answer = await submit(body);
    const fault = { reason, param: named, message: expect.stringContaining(named) };
    expect([answer.status, answer.body.error]).toMatchObject([400, { ...fault, errors: [fault] }]);
    expect(answer.headers.get('x-task-id')).toBeNull();
  });

  it('tells all that is wrong with the fields at once, the first as it would alone, and one of each', async () => {
    const { prompt: _, ...body } = SMALL_IMAGE;
    const { error } = (await submit({ ...body, n: 9, quality: 'best', webhook: 5, language: 7 })).body;
    expect(error.errors).toEqual([
      { param: 'webhook', reason: 'invalid_parameter', message: 'webhook must be a string' },
      { param: 'language', reason: 'invalid_parameter', message: 'language must be a string' },
      { param: 'prompt', reason: 'missing_parameter', message: 'prompt is required' },
      { param: 'n', reason: 'invalid_parameter', message: 'n must be from 1 to 4' },
      { param: 'quality', reason: 'invalid_parameter', message: expect.stringMatching(/^quality must be one of /) },
    ]);
    expect(error).toMatchObject(error.errors[0]);
  });

  it('tells of every file that cannot be used, in the order of the fields', async () => {
    const urls = ['http://10.0.0.1/a.png', 'https://example.com/b.png', 'http://127.0.0.1/c.png'];
    const { error } = (await submit({ ...SMALL_IMAGE, image_urls: urls })).body;
    expect(error.errors).toEqual(
      [0, 2].map((index) => ({
        param: `image_urls[${index}]`,
        reason: 'bad_media',
        message: `image_urls[${index}]: The host is not a public address.`,
      })),
    );
  });

  it('is in the language that the caller prefers', async () => {
    const headers = { 'accept-language': 'it, de-CH;q=0.9, en;q=0.5' };
    const { prompt: _, ...body } = SMALL_IMAGE;
    const answer = await api.post('/v1/images/generations', body, { key: caller.key, headers });
    expect(answer.body.error).toMatchObject({ message: 'prompt ist erforderlich', reason: 'missing_parameter' });
    expect(answer.headers.get('content-language')).toBe('de');
    expect((await submit(body)).headers.get('content-language')).toBeNull();
  });

  it.each([
    ['missing', without('model')],
    ['blank', { ...SMALL_IMAGE, model: ' ' }],
    ['unknown', { ...SMALL_IMAGE, model: 'imagegen-9' }],
    ['known but served by no channel', { ...SMALL_IMAGE, model: 'imagegen-2.5-sunburst' }],
  ])('refuses a model that is %s and lists those there are', async (_why, body) => {
    const { status, body: answer } = await submit(body);
    expect(status).toBe(400);
    expect(answer.error.message).toContain('imagegen-2, imagegen-2.5-flare, imageseed-4.0');
    expect(answer.error.message).not.toContain('sunburst,');
    const named = typeof body['model'] === 'string' ? body['model'].trim() : '';
    expect(answer.error.message).toContain(named);
  });

  it('names the values of a string that came as a number', async () => {
    const { status, body } = await submit({ ...SMALL_IMAGE, quality: 512 });
    expect([status, body.error.param]).toEqual([400, 'quality']);
    expect(body.error.message).toMatch(/^quality must be a string, one of low, medium/);
  });

  it('refuses links of its own that are forged, and masks that are no PNG', async () => {
    const forged = `http://127.0.0.1:8080/v1/files/${'0'.repeat(26)}.png?expires=4000000000&signature=x`;
    const html = `data:image/png;base64,${Buffer.from('<html></html>').toString('base64')}`;
    const huge = `data:image/png;base64,${pngOf(1, 1, { width: 60_000, height: 60_000 }).toString('base64')}`;
    const images = { image_urls: ['https://example.com/a.png'] };
    for (const body of [{ image_urls: [forged] }, { ...images, mask_url: html }, { ...images, mask_url: huge }]) {
      const { status, body: answer } = await submit({ ...SMALL_IMAGE, ...body });
      expect(status).toBe(400);
      expect(answer.error.message).toMatch(/image_urls\[0\]|mask_url/);
    }
  });

  it.each([
    ['image/avif', AVIF, true],
    ['image/gif', GIF, true],
    ['image/heic', Buffer.from('\0\0\0\x1cftypheic\0\0\0\0mif1heic').toString('base64'), false],
  ])('says of %s what is accepted, and where it is converted if it is', async (type, data, isConverted) => {
    const { status, body } = await submit({ ...SMALL_IMAGE, image_urls: [`data:${type};base64,${data}`] });
    expect([status, body.error.param]).toEqual([400, 'image_urls[0]']);
    expect(body.error.message).toContain(`The file is ${type}; accepted are image/png, image/jpeg`);
    expect(body.error.message).toContain(isConverted ? 'Send it to /v1/files first' : 'Convert it to JPEG or PNG.');
  });

  it.each<[string, string, (file: string) => JsonObject]>([
    ['a text', 'prompt', (file) => ({ prompt: file })],
    ['a choice', 'size', (file) => ({ size: file })],
  ])('refuses a file in the place of %s, by its name', async (_place, param, fieldsWith) => {
    const file = `data:image/png;base64,${noisyPngOf(60, 60).toString('base64')}`;
    const { status, body } = await submit({ ...SMALL_IMAGE, ...fieldsWith(file) });
    expect([status, body.error]).toMatchObject([400, { reason: 'invalid_parameter', param }]);
  });

  it.each([
    ['NUL in a text', '{"model":"imagegen-2","prompt":"a\\u0000b"}'],
    ['NUL in an ignored field', '{"model":"imagegen-2","prompt":"a","x\\u0000":1}'],
    ['NUL in the webhook', '{"model":"imagegen-2","prompt":"a","webhook":"https://a.example/\\u0000"}'],
    [
      'half a surrogate pair in the webhook',
      '{"model":"imagegen-2","prompt":"a","webhook":"https://a.example/\\udc00"}',
    ],
    ['NUL in the language', '{"model":"imagegen-2","prompt":"a","language":"en\\u0000"}'],
    ['half a surrogate pair', '{"model":"imagegen-2","prompt":"a\\ud800b"}'],
    ['a number beyond a double', '{"model":"imagegen-2","prompt":"a","x":1e400}'],
    ['nesting beyond the limit', `{"model":"imagegen-2","prompt":"a","x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('refuses a body that is %s', async (_why, body) => {
    const answer = await submit(body);
    expect(answer.status).toBe(400);
  });

  it.each(['model', 'prompt'])('reads null for the required %s as a missing field', async (field) => {
    const { status, body } = await submit({ ...SMALL_IMAGE, [field]: null });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(new RegExp(`^${field} is required`));
  });

  it('refuses null within a list', async () => {
    expect((await submit({ ...SMALL_IMAGE, image_urls: [null] })).status).toBe(400);
  });

  it('accepts nesting up to the limit, as an ignored field', async () => {
    const body = `{"model":"imagegen-2","prompt":"","x":${'['.repeat(31)}${']'.repeat(31)}}`;
    // The prompt is what is missing: the nesting itself was let through.
    expect((await submit(body)).body.error.message).toContain('prompt');
  });
});

it.each(['UTF-8', 'binary', 'aws-chunked', ''])(
  'reads a body whose content encoding %j is no compression',
  async (encoding) => {
    const answer = await submit({ ...SMALL_IMAGE, n: 'two' }, { 'content-encoding': encoding });
    expect([answer.status, answer.body.error.param]).toEqual([400, 'n']);
  },
);

describe('Idempotency-Key that cannot be one', () => {
  it.each([
    ['longer than 255 characters', 'x'.repeat(256)],
    ['with a blank inside', 'a b'],
    ['with other letters', 'schl\u00fcssel'],
  ])('refuses one %s', async (_why, key) => {
    const { status, body } = await submit(SMALL_IMAGE, { 'idempotency-key': key });
    expect(status).toBe(400);
    expect(body.error.message).toContain('Idempotency-Key');
  });
});
