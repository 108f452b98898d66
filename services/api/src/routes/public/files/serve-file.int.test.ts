import { createLinks, MediaStore } from '@mediagate/media';
import { forAllTests } from '@mediagate/testkit';
import { FORMER_LINK_SECRET, startTestApi } from '../../../../test/test-api';
import { pngOf } from '../../../../test/test-images';

const png = pngOf(40, 40);

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

const HOUR_MS = 3_600_000;

async function save(lifetimeMs = HOUR_MS, bytes = png, contentType = 'image/png') {
  const media = await api.mediaStore.save({
    accountId: caller.accountId,
    bytes,
    contentType,
    lifetimeMs,
    purpose: 'result',
  });
  return { media, path: pathOf(media.url) };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${api.url}${path}`, { method, headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('GET /v1/files/{name}', () => {
  it('serves the bytes under their own type, as nothing but a file', async () => {
    const { media, path } = await save();
    const response = await read(path);
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(png);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'accept-ranges': 'bytes',
      etag: `"${media.sha256}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': expect.stringMatching(/^private, max-age=\d+, immutable$/),
      'x-request-id': expect.any(String),
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('leads to the storage, by an address that nobody keeps, where the storage hands out addresses', async () => {
    const { media, path } = await save();
    const address = 'https://bucket.example/results/a.png?X-Amz-Signature=abc';
    const found = jest.spyOn(MediaStore.prototype, 'addressOf').mockResolvedValue(address);
    const response = await fetch(`${api.url}${path}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, address]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(found).toHaveBeenCalledWith(media.id);
    expect((await read(path, {}, 'HEAD')).status).toBe(200);
    expect((await read(path, { 'if-none-match': `"${media.sha256}"` })).status).toBe(304);
    found.mockRestore();
  });

  it('tells a cache to keep it no longer than the link lives', async () => {
    const { path } = await save(60_000);
    const maxAge = Number(/max-age=(\d+)/.exec((await read(path)).headers.get('cache-control') ?? '')?.[1]);
    expect(maxAge).toBeGreaterThan(50);
    expect(maxAge).toBeLessThanOrEqual(60);
  });

  it('answers a range with that part, and several with the whole', async () => {
    const { path } = await save();
    const part = await read(path, { range: 'bytes=10-' });
    const { headers } = part;
    expect([part.status, headers.get('content-range')]).toEqual([206, `bytes 10-${png.length - 1}/${png.length}`]);
    expect(headers.get('content-length')).toBe(String(png.length - 10));
    expect(await bytesOf(part)).toEqual(png.subarray(10));
    const whole = await read(path, { range: 'bytes=0-1,4-5' });
    expect([whole.status, await bytesOf(whole)]).toEqual([200, png]);
  });

  it('answers a part beyond the end with 416, in the shape of an error', async () => {
    const { path } = await save();
    const response = await read(path, { range: `bytes=${png.length}-` });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${png.length}`);
    expect(await response.json()).toMatchObject({ error: { reason: 'range_not_satisfiable' } });
    expect(response.headers.get('cache-control')).toBeNull();
  });

  it('gives a part only of the version that If-Range names', async () => {
    const { media, path } = await save();
    const range = 'bytes=0-3';
    expect((await read(path, { range, 'if-range': `"${media.sha256}"` })).status).toBe(206);
    expect((await read(path, { range, 'if-range': '"other"' })).status).toBe(200);
  });

  it('answers 304 to whoever has it', async () => {
    const { media, path } = await save();
    const response = await read(path, { 'if-none-match': `W/"${media.sha256}"` });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(response.headers.get('etag')).toBe(`"${media.sha256}"`);
    expect((await read(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const { media, path } = await save();
    const response = await read(path, {}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(png.length));
    expect(response.headers.get('etag')).toBe(`"${media.sha256}"`);
    expect(await response.text()).toBe('');
  });

  it('answers 410 once the link has expired, and once the bytes were removed', async () => {
    const expired = await save(-HOUR_MS);
    const answer = await api.get(expired.path);
    expect(answer.status).toBe(410);
    expect(answer.body).toEqual({
      error: {
        code: 410,
        message: expect.any(String),
        type: 'not_found',
        reason: 'link_expired',
        request_id: expect.any(String),
      },
    });
    const removed = await save();
    await api.database.mediaObject.update({ where: { id: removed.media.id }, data: { deletedAt: new Date() } });
    expect((await api.get(removed.path)).status).toBe(410);
    expect((await read(removed.path, {}, 'HEAD')).status).toBe(410);
  });

  it('opens a link that was signed before the secret changed', async () => {
    const { media } = await save();
    const former = createLinks({ publicBaseUrl: new URL(media.url).origin, secrets: [FORMER_LINK_SECRET] });
    const url = former.sign({ id: media.id, extension: 'png', expiresAt: media.expiresAt });
    expect(await bytesOf(await read(pathOf(url)))).toEqual(png);
    expect(media.url).not.toBe(url);
  });

  it('answers 403 to a link it never signed, whatever is behind it', async () => {
    const { media, path } = await save();
    const forgeries = [
      path.replace(/signature=.{4}/, 'signature=AAAA'),
      path.replace(/expires=\d+/, 'expires=9999999999'),
      path.replace(/\?.*/, ''),
      path.replace(media.id, `${'0'.repeat(26)}`),
      `${path}&signature=x`.replace('signature=', 'x='),
    ];
    for (const forged of forgeries) {
      const answer = await api.get(forged);
      expect({ forged, status: answer.status }).toEqual({ forged, status: 403 });
      expect(answer.body.error).toMatchObject({ type: 'permission_error', reason: 'permission_denied' });
    }
  });

  it('answers 404 to what cannot be one of its names, and to a genuine link without a file', async () => {
    for (const name of ['nothing.png', '..%2f..%2fetc%2fpasswd', `${'0'.repeat(26)}.x`, `${'a'.repeat(4000)}.png`]) {
      const answer = await api.get(`/v1/files/${name}`);
      expect({ name, status: answer.status }).toEqual({ name, status: 404 });
      expect(answer.body.error.type).toBe('not_found');
    }
    const { media, path } = await save();
    await api.database.mediaObject.delete({ where: { id: media.id } });
    expect((await api.get(path)).status).toBe(404);
  });

  it('goes on serving others when a reader hangs up in the middle', async () => {
    const large = Buffer.concat([png, Buffer.alloc(8 * 1024 * 1024)]);
    const { path } = await save(HOUR_MS, large);
    const response = await read(path);
    await response.body?.cancel();
    expect((await bytesOf(await read(path))).equals(large)).toBe(true);
  });
});
