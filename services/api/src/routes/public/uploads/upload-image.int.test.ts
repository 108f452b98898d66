import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, startTestApi, type TestApi } from '../../../../test/test-api';
import { fileOf, noisyPngOf, pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const ONE_PIXEL_GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const MEBIBYTE = 1024 * 1024;
const upload = (body: unknown) => api.post('/v1/uploads/images', body, { key: caller.key });
const dataUrl = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;

function formOf(bytes: Buffer, name = 'image.png', field = 'file'): FormData {
  const form = new FormData();
  form.append(field, fileOf(bytes), name);
  return form;
}

describe('POST /v1/uploads/images', () => {
  it('answers a link that is served, valid for 72 hours, and that a submission takes', async () => {
    const png = pngOf(12, 34);
    const { status, body } = await upload(formOf(png));
    expect(status).toBe(200);
    expect(body).toEqual({
      url: expect.stringContaining('/v1/files/'),
      filename: 'image.png',
      content_type: 'image/png',
      bytes: png.length,
      width: 12,
      height: 34,
      created_at: expect.any(Number),
      expires_at: expect.any(Number),
    });
    expect(body.expires_at - body.created_at).toBeGreaterThanOrEqual(72 * 3600 - 1);
    expect(body.expires_at - body.created_at).toBeLessThanOrEqual(72 * 3600 + 1);
    const link = new URL(body.url);
    const served = await fetch(`${api.url}${link.pathname}${link.search}`);
    expect(Buffer.from(await served.arrayBuffer())).toEqual(png);
    const submission = { ...SMALL_IMAGE, image_urls: [body.url] };
    expect((await api.post('/v1/images/generations', submission, { key: caller.key })).status).toBe(200);
  });

  it('judges a file by its bytes, never by its name or declared type', async () => {
    const { body } = await upload(formOf(pngOf(2, 2), 'holiday.jpg'));
    expect(body).toMatchObject({ filename: 'holiday.jpg', content_type: 'image/png' });
    expect(new URL(body.url).pathname).toMatch(/\.png$/);
  });

  it('takes the same as JSON with a data URL', async () => {
    const png = pngOf(5, 6);
    const { status, body } = await upload({ data: dataUrl(png) });
    expect(status).toBe(200);
    expect(body).toMatchObject({ bytes: png.length, width: 5, height: 6, content_type: 'image/png' });
    expect(body.filename).toMatch(/\.png$/);
  });

  const wrapped = (bytes: Buffer) => dataUrl(bytes).replace(/.{76}/g, '$&\r\n');
  it.each<[how: string, write: (bytes: Buffer) => string]>([
    ['image/jpg', (bytes) => dataUrl(bytes, 'image/jpg')],
    ['octet-stream', (bytes) => dataUrl(bytes, 'application/octet-stream')],
    ['upper case', (bytes) => dataUrl(bytes).replace('data:image/png;base64', 'DATA:IMAGE/PNG;BASE64')],
    ['parameters', (bytes) => dataUrl(bytes, 'image/png;charset=utf-8')],
    ['line breaks', wrapped],
    ['no padding', (bytes) => dataUrl(bytes).replace(/=+$/, '')],
  ])('takes a data URL of any size by its bytes: %s', async (_how, write) => {
    for (const png of [pngOf(5, 6), noisyPngOf(60, 60)]) {
      const { status, body } = await upload({ data: write(png) });
      expect([status, body]).toMatchObject([200, { bytes: png.length, content_type: 'image/png' }]);
    }
  });

  it.each<[how: string, body: () => unknown, filename: string | RegExp]>([
    ['a form', () => formOf(ONE_PIXEL_GIF, 'wave.GIF'), 'wave.png'],
    ['a data URL', () => ({ data: dataUrl(ONE_PIXEL_GIF, 'image/gif') }), /^\w+\.png$/],
  ])('keeps a GIF sent as %s as a PNG, under a link that models take', async (_how, body, filename) => {
    const uploaded = await upload(body());
    expect(uploaded.status).toBe(200);
    expect(uploaded.body).toMatchObject({ content_type: 'image/png', width: 1, height: 1 });
    expect(uploaded.body.filename).toEqual(typeof filename === 'string' ? filename : expect.stringMatching(filename));
    const link = new URL(uploaded.body.url);
    expect(link.pathname).toMatch(/\.png$/);
    const served = await fetch(`${api.url}${link.pathname}${link.search}`);
    expect(served.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await served.arrayBuffer());
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect(bytes).toHaveLength(uploaded.body.bytes);
  });

  it('makes of a hostile file name nothing but a name', async () => {
    const { body } = await upload(formOf(pngOf(2, 2), '../../etc/pass\u202ewd\u0007.png'));
    expect(body.filename).not.toMatch(/\//);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that they are gone is the point
    expect(body.filename).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  describe('refused', () => {
    let rows: Record<string, number>;
    beforeEach(async () => {
      rows = await api.countRows();
    });
    afterEach(async () => {
      expect(await api.countRows()).toEqual(rows);
    });

    it.each<[why: string, body: unknown]>([
      ['SVG', formOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), 'a.svg')],
      ['HTML called PNG', formOf(Buffer.from('<!doctype html><script>1</script>'))],
      ['an empty file', formOf(Buffer.alloc(0))],
      ['only the beginning of a PNG', formOf(pngOf(2, 2).subarray(0, 20))],
      ['a pixel bomb', formOf(pngOf(1, 1, { width: 100_000, height: 100_000 }))],
      ['another field', formOf(pngOf(2, 2), 'a.png', 'photo')],
      ['no data', {}],
      ['data that is no text', { data: 7 }],
      ['data that is no data URL', { data: 'https://example.com/a.png' }],
      ['broken base64', { data: 'data:image/png;base64,@@@@' }],
      ['data of another type', { data: dataUrl(Buffer.from('%PDF-1.7'), 'application/pdf') }],
      ['data whose bytes are another type', { data: dataUrl(Buffer.from('%PDF-1.7')) }],
    ])('%s: 400', async (_why, body) => {
      const answer = await upload(body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 400, type: 'invalid_request_error' });
    });

    it.each([
      ['as a form', () => formOf(Buffer.alloc(20 * MEBIBYTE + 1))],
      ['as a data URL', () => ({ data: dataUrl(Buffer.alloc(20 * MEBIBYTE + 1)) })],
      ['as JSON beyond any data URL', () => ({ data: 'x'.repeat(29 * MEBIBYTE) })],
    ])('20 MB and one byte %s: 413', async (_how, body) => {
      const { status, body: answer } = await upload(body());
      expect([status, answer.error.reason]).toEqual([413, 'payload_too_large']);
    });

    it('two files: 400', async () => {
      const form = formOf(pngOf(2, 2));
      form.append('file', fileOf(pngOf(3, 3)), 'b.png');
      expect((await upload(form)).status).toBe(400);
    });
  });
});

describe('beyond a quota', () => {
  const ample = { storedBytes: 1e9, storedFiles: 1e6, dayBytes: 1e9, dayFiles: 1e6 };
  let narrow: TestApi;
  beforeAll(async () => {
    const uploadQuotas = { account: { ...ample, dayFiles: 4 }, key: { ...ample, storedFiles: 2 } };
    narrow = await startTestApi({ uploadQuotas });
  });
  afterAll(() => narrow.stop());

  it('of ten uploads at once those within it are kept, and the others are 429 and say why and when to come back', async () => {
    const { key } = await narrow.createCaller();
    const rush = Array.from({ length: 10 }, () => narrow.post('/v1/uploads/images', formOf(pngOf(3, 3)), { key }));
    const answers = await Promise.all(rush);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const { body, headers } of answers.filter(({ status }) => status !== 200)) {
      expect(body.error).toMatchObject({
        code: 429,
        type: 'rate_limit_error',
        message: 'This API key may keep at most 2 files at once; they expire 72 hours after their upload.',
      });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('a test key whose results fill the quota books nothing, and work that is paid goes on', async () => {
    const test = await narrow.createCaller({ isTest: true });
    await narrow.database.storageUsage.create({
      data: { owner: `key:${test.keyId}`, day: new Date(), storedFiles: 2 },
    });
    const submit = (key: string) => narrow.post('/v1/images/generations', SMALL_IMAGE, { key });
    expect(await submit(test.key)).toMatchObject({ status: 429, body: { error: { reason: 'rate_limited' } } });
    expect(await narrow.database.task.count({ where: { accountId: test.accountId } })).toBe(0);
    const paid = await narrow.createCaller({ accountId: test.accountId });
    expect((await submit(paid.key)).status).toBe(200);
  });

  it('a submission whose file has no room books nothing', async () => {
    const { key } = await narrow.createCaller();
    const image = `data:image/png;base64,${pngOf(64, 64).toString('base64')}`;
    const describeIt = () => narrow.post('/v1/imgtool/generations/describe', { image_urls: [image] }, { key });
    for (const status of [200, 200, 429]) {
      const rows = await narrow.countRows();
      expect((await describeIt()).status).toBe(status);
      if (status === 429) expect(await narrow.countRows()).toEqual(rows);
    }
  });
});
