import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { message, NOBODY } from '@mediagate/contracts';
import { createGuardedClient, EgressError } from '@mediagate/egress';
import sharp from 'sharp';
import { createOutputFetcher, createProber } from '../src';
import { image, serve } from './fixtures';

let channel: Awaited<ReturnType<typeof serve>>;
let answer: RequestListener;

beforeAll(async () => {
  channel = await serve((request, response) => answer(request, response));
});

afterAll(() => channel.close());

const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [80, 443], allowOrigins: [] });
const prober = createProber();
const fetchOutput = createOutputFetcher({ client, prober });
const source = () => ({ channelBaseUrl: `${channel.origin}/v1`, owner: NOBODY, signal: new AbortController().signal });
const link = (path = '/files/1') => ({ role: 'image' as const, url: `${channel.origin}${path}` });

/** A file with these bytes, by its size and hash. */
const fileOf = (bytes: Buffer) => ({
  totalBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest(),
});

describe('an output', () => {
  it('that came as bytes is what its bytes are', async () => {
    const bytes = await image('webp');
    const output = await fetchOutput({ role: 'image', contentType: 'image/png', bytes }, source());
    expect(output).toMatchObject({
      role: 'image',
      contentType: 'image/webp',
      extension: 'webp',
      bytes,
      width: 30,
      height: 20,
    });
  });

  it('is kept without what stands behind its end', async () => {
    const bytes = await image('png');
    const output = await fetchOutput({ role: 'image', bytes: Buffer.concat([bytes, Buffer.from('PK')]) }, source());
    expect(output).toMatchObject({ bytes });
  });

  it('that came as a link is fetched from the channel, private as its address may be', async () => {
    const bytes = await image('jpeg');
    answer = (_request, response) => response.setHeader('content-type', 'application/octet-stream').end(bytes);
    await expect(fetchOutput(link(), source())).resolves.toMatchObject({
      contentType: 'image/jpeg',
      bytes: fileOf(bytes),
    });
  });

  it.each(['png', 'jpeg', 'webp'] as const)(
    'that is a grid of four in %s comes with each of them by itself',
    async (format) => {
      // Odd sides have a row and a column that belong to nobody.
      const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffffff'];
      const tiles = colours.map(async (background, index) => ({
        input: await sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
        left: (index % 2) * 41,
        top: Math.floor(index / 2) * 31,
      }));
      const blank = sharp({ create: { width: 81, height: 61, channels: 3, background: 'black' } });
      const bytes = await blank
        .composite(await Promise.all(tiles))
        .toFormat(format, { quality: 100 })
        .toBuffer();
      const { parts = [], faults } = await fetchOutput({ role: 'image', bytes, isGrid: true }, source());
      expect(faults).toEqual([]);
      expect(parts.map(({ facts, width, height }) => [facts, width, height])).toEqual(
        [1, 2, 3, 4].map((tile) => [{ tile }, 40, 30]),
      );
      for (const [index, part] of parts.entries()) {
        expect(part.contentType).toBe(`image/${format}`);
        expect(part.madeOf).toEqual({ bytes, contentType: `image/${format}`, actions: ['cropped'] });
        const { channels } = await sharp(part.bytes).stats();
        const colour = channels.slice(0, 3).map(({ mean }) => (mean > 128 ? 'f' : '0').repeat(2));
        expect(`#${colour.join('')}`).toBe(colours[index]);
      }
    },
  );

  it('that is a grid and cannot be cut is one all the same', async () => {
    const bytes = await image('png', 1, 1);
    const output = await fetchOutput({ role: 'image', bytes, isGrid: true }, source());
    expect(output).toMatchObject({ bytes, faults: ['the grid was not cut: it is too small'] });
    expect(output).not.toHaveProperty('parts');
  });

  it('is not fetched from a private address of a channel that was set by the API', async () => {
    answer = (_request, response) => response.end('inner');
    const never = { name: 'OutputError', transient: false, mayComeLater: false };
    await expect(fetchOutput(link(), { ...source(), mustBePublic: true })).rejects.toMatchObject(never);
  });

  it('is not fetched from another private address, nor through a redirect to one', async () => {
    const other = await serve((_request, response) => response.end('inner'));
    answer = (_request, response) => response.writeHead(302, { location: other.origin }).end();
    const never = { name: 'OutputError', transient: false, mayComeLater: false };
    for (const output of [link(), { role: 'image' as const, url: other.origin }]) {
      await expect(fetchOutput(output, source())).rejects.toMatchObject(never);
    }
    await other.close();
  });

  it.each([
    [400, { transient: false, mayComeLater: true }],
    [404, { transient: false, mayComeLater: true }],
    [410, { transient: false, mayComeLater: false }],
    [500, { transient: true, mayComeLater: true }],
    [503, { transient: true, mayComeLater: true }],
  ])('whose link answers %i is %j', async (status, kind) => {
    answer = (_request, response) => response.writeHead(status).end();
    await expect(fetchOutput(link(), source())).rejects.toMatchObject({ name: 'OutputError', ...kind });
  });

  it("is fetched by the vendor's second link where the first gives nothing", async () => {
    const bytes = await image('png');
    answer = (request, response) => {
      if (request.url === '/backup') response.end(bytes);
      else response.writeHead(404).end();
    };
    const first = link();
    const output = { ...first, backupUrl: new URL('/backup', first.url).href };
    expect((await fetchOutput(output, source())).bytes).toMatchObject(fileOf(bytes));
  });

  describe('that needs the key of its channel', () => {
    const showKey = () => ({ ok: true, headers: { 'x-goog-api-key': 'channel-key' } }) as const;
    const sourceWithKey = () => ({ ...source(), showKey });

    it('is fetched with it, from its second link too', async () => {
      const bytes = await image('png');
      answer = (request, response) => {
        const isShown = request.headers['x-goog-api-key'] === 'channel-key';
        if (request.url === '/backup' && isShown) response.end(bytes);
        else response.writeHead(isShown ? 404 : 401).end();
      };
      const output = { ...link(), needsKey: true };
      const backupUrl = new URL('/backup', output.url).href;
      expect((await fetchOutput({ ...output, backupUrl }, sourceWithKey())).bytes).toMatchObject(fileOf(bytes));
      await expect(fetchOutput({ ...link(), backupUrl }, sourceWithKey())).rejects.toMatchObject({
        name: 'OutputError',
      });
    });

    it('is fetched without it where it lies elsewhere or is sent there', async () => {
      const bytes = await image('png');
      const shown: unknown[] = [];
      const other = await serve((request, response) => {
        shown.push(request.headers['x-goog-api-key']);
        response.end(bytes);
      });
      const open = createGuardedClient({
        allowPrivateCidrs: ['127.0.0.0/8'],
        allowPorts: [Number(new URL(other.origin).port)],
        allowOrigins: [],
      });
      answer = (_request, response) => response.writeHead(302, { location: other.origin }).end();
      for (const url of [other.origin, link().url]) {
        const output = { role: 'image' as const, url, needsKey: true };
        expect((await createOutputFetcher({ client: open, prober })(output, sourceWithKey())).bytes).toMatchObject(
          fileOf(bytes),
        );
      }
      expect(shown).toEqual([undefined, undefined]);
      await other.close();
    });

    it('is asked for later where the key cannot be had now', async () => {
      const fault = { code: 'not_accepted', detail: 'not sent: deadline' } as const;
      const withoutKey = { ...source(), showKey: async () => ({ ok: false, fault }) as const };
      const missing = { name: 'OutputError', transient: true, mayComeLater: true };
      await expect(fetchOutput({ ...link(), needsKey: true }, withoutKey)).rejects.toMatchObject(missing);
    });
  });

  it.each([
    [64, 300],
    [512, 300],
    [1024, 600],
    [4096, 900],
  ])('that is a video of up to %d MiB has %d seconds to come', async (mib, seconds) => {
    const stream = jest.fn().mockRejectedValue(new EgressError('timeout', message('server_timeout', { seconds })));
    const patient = createOutputFetcher({ client: { stream }, prober, maxVideoBytes: mib * 1024 * 1024 });
    await expect(patient({ ...link(), role: 'video' }, source())).rejects.toMatchObject({ name: 'OutputError' });
    expect(stream.mock.calls[0]?.[1]).toMatchObject({ timeoutMs: seconds * 1000 });
  });

  it('that did not come in its full time is not asked for again at once', async () => {
    const expired = new EgressError('timeout', message('server_timeout', { seconds: 300 }));
    const late = createOutputFetcher({ client: { stream: () => Promise.reject(expired) }, prober });
    await expect(late(link(), source())).rejects.toMatchObject({ name: 'OutputError', transient: false });
  });

  it('that breaks off on the way may be tried again', async () => {
    const bytes = await image('png');
    answer = (_request, response) => {
      response
        .writeHead(200, { 'content-length': bytes.length })
        .write(bytes.subarray(0, 40), () => response.destroy());
    };
    await expect(fetchOutput(link(), source())).rejects.toMatchObject({ name: 'OutputError', transient: true });
  });

  it.each([
    ['png', /^the png of \d+ bytes is cut off$/],
    ['jpeg', /^the jpeg of \d+ bytes is cut off$/],
    ['webp', /^the webp of \d+ bytes is cut off$/],
  ] as const)('that is a %s without its end is none', async (format, message) => {
    const bytes = (await image(format, 300, 300)).subarray(0, -6_000);
    await expect(fetchOutput({ role: 'image', bytes }, source())).rejects.toMatchObject({
      name: 'OutputError',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'of no known type', true],
    ['an error page', Buffer.from('<html>expired</html>'), 'of no known type', true],
    ['a video', Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0', 'latin1'), 'video/mp4', false],
    ['much of something', Buffer.alloc(100_000, 'abc'), 'of no known type', false],
  ])('that is %s is no image', async (_case, bytes, found, mayComeLater) => {
    await expect(fetchOutput({ role: 'image', bytes }, source())).rejects.toMatchObject({
      name: 'OutputError',
      mayComeLater,
      message: expect.stringContaining(found),
    });
    answer = (_request, response) => response.end(bytes);
    await expect(fetchOutput(link(), source())).rejects.toMatchObject({ name: 'OutputError', mayComeLater });
  });

  it('is left when the worker must go', async () => {
    const worker = new AbortController();
    answer = () => worker.abort();
    const output = fetchOutput(link(), { ...source(), signal: worker.signal });
    await expect(output).rejects.toMatchObject({ name: 'EgressError', reason: 'aborted' });
  });
});
