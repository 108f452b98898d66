import { once } from 'node:events';
import { createServer } from 'node:net';
import type { MediaReference } from '@mediagate/contracts';
import { createGuardedClient, type GuardedClientOptions } from '@mediagate/egress';
import { checkMedia, createMediaLoader, createProber, MediaStore } from '../src';
import { makeDocx, makePdf } from './documents';
import { clearImage, image, openStore, serve } from './fixtures';
import { type FileServer, type Manner, serveFile } from './range-server';
import { makeSound, makeVideo } from './real-media';

/** One for all, as in each of our processes: its own processes take longer to start than a file takes. */
const prober = createProber();
let scene: Awaited<ReturnType<typeof openStore>>;
const servers: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  scene = await openStore();
});

afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
afterAll(() => scene.close());

const ENDLESS_MS = 600_000;
/** Ample for a good server on a busy machine, and soon over where a test waits for its end. */
const SHORT_MS = 5_000;

const never = () => new AbortController().signal;

const KINDS = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp'],
  video: ['video/mp4', 'video/quicktime'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/mp4'],
  document: [
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'text/plain',
  ],
};

function reference(role: keyof typeof KINDS, url: string, change: Partial<MediaReference> = {}): MediaReference {
  const [field, contentTypes] = [`${role}_urls[0]`, KINDS[role]];
  return { field, role, url, contentTypes, maxBytes: 100_000_000, inspectOnly: true, ...change };
}

async function site(bytes: Buffer, manner?: Manner): Promise<FileServer> {
  const server = await serveFile(bytes, manner);
  servers.push(server);
  return server;
}

const owner = { accountId: 'account_1' };

/** Inspects a file that must be fetched from this origin. */
async function inspect(
  origin: string,
  asked: MediaReference,
  { fileTimeoutMs = ENDLESS_MS, ...options }: Partial<GuardedClientOptions> & { fileTimeoutMs?: number } = {},
) {
  const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [80], allowOrigins: [origin], ...options });
  const load = createMediaLoader({ client, store: scene.store, prober, fileTimeoutMs });
  const { media } = await load([asked], never(), { owner });
  return media[0];
}

describe('a file that is only to be inspected', () => {
  it.each<Manner>(['ranges', 'whole', 'chunked', 'gzip'])(
    'is measured from a server that answers %s',
    async (manner) => {
      const video = await site(await makeVideo({ seconds: 2, size: '320x240' }), manner);
      const media = await inspect(video.origin, reference('video', `${video.origin}/v`));
      expect(media).toEqual({
        field: 'video_urls[0]',
        role: 'video',
        contentType: 'video/mp4',
        bytes: Buffer.alloc(0),
        width: 320,
        height: 240,
        seconds: expect.closeTo(2, 1),
      });
    },
  );

  it('is asked for in parts, and of a large one only those that matter', async () => {
    // The index stands at the end, behind all images.
    const bytes = await makeVideo({ seconds: 3, size: '1280x720', args: ['-b:v', '8M'] });
    const video = await site(bytes);
    await expect(inspect(video.origin, reference('video', video.origin))).resolves.toMatchObject({ width: 1280 });
    expect(bytes.length).toBeGreaterThan(2_000_000);
    expect(video.asked[0]).toBe('bytes=0-65535');
    expect(video.asked.length).toBeLessThanOrEqual(4);
    expect(video.sentBytes()).toBeLessThan(400_000);
  });

  it('is read no further than needed from a server that knows no parts', async () => {
    const bytes = await makeVideo({ seconds: 3, size: '1280x720', args: ['-b:v', '8M', '-movflags', '+faststart'] });
    const video = await site(bytes, 'whole');
    await expect(inspect(video.origin, reference('video', video.origin))).resolves.toMatchObject({ width: 1280 });
    expect(video.asked).toHaveLength(1);
  });

  it.each([
    ['image', () => image('png', 300, 200), { contentType: 'image/png', width: 300, height: 200 }],
    ['image', () => image('webp', 300, 200), { contentType: 'image/webp', width: 300, height: 200 }],
    ['audio', () => makeSound('mp3', 3), { contentType: 'audio/mpeg', seconds: expect.closeTo(3, 0) }],
    ['audio', () => makeSound('wav', 3), { contentType: 'audio/wav', seconds: 3 }],
    ['document', async () => makePdf(3), { contentType: 'application/pdf', pages: 3 }],
    ['document', async () => makeDocx(3), { pages: 3 }],
    ['document', async () => Buffer.from('plain words'), { contentType: 'text/plain' }],
  ] as const)('may be of kind %s', async (role, make, facts) => {
    const server = await site(await make());
    const asked = reference(role, server.origin, { limits: { maxPages: 50 } });
    await expect(inspect(server.origin, asked)).resolves.toMatchObject({ role, ...facts });
  });

  it.each([
    ['mp4 of the brand isom', 'mp4', ['-brand', 'isom'], 'audio/mp4'],
    ['mp4 of the brand mp42', 'mp4', ['-brand', 'mp42'], 'audio/mp4'],
    ['m4a', 'm4a', [], 'audio/mp4'],
    ['webm', 'webm', [], 'audio/webm'],
  ] as const)('is sound where it is a %s without a video track', async (_what, extension, args, contentType) => {
    const server = await site(await makeSound(extension, 2, args));
    const asked = reference('audio', server.origin, { contentTypes: [contentType, 'video/mp4', 'video/webm'] });
    const media = await inspect(server.origin, asked);
    expect(media).toMatchObject({ contentType, seconds: expect.closeTo(2, 0) });
    expect(media).not.toHaveProperty('width');
  });

  it('is read by parts from our own storage, too', async () => {
    const bytes = await makeVideo({ seconds: 2 });
    const saved = await scene.store.save({
      accountId: 'account_1',
      purpose: 'result',
      contentType: 'video/mp4',
      lifetimeMs: 60_000,
      bytes,
    });
    await expect(inspect('http://127.0.0.1', reference('video', saved.url))).resolves.toMatchObject({
      width: 320,
      bytes: Buffer.alloc(0),
    });
    const short = inspect('http://127.0.0.1', reference('video', saved.url, { limits: { minSeconds: 3 } }));
    await expect(short).rejects.toMatchObject({
      message: 'video_urls[0]: The video is 2 s long; at least 3 s is required.',
    });
  });

  it('may be in the request itself, where it is judged at submission', async () => {
    const sound = `data:audio/wav;base64,${(await makeSound('wav', 2)).toString('base64')}`;
    const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [], allowOrigins: [] });
    const files = { client, store: scene.store, prober };
    await expect(checkMedia(files, reference('audio', sound), owner)).resolves.toMatchObject({
      file: { seconds: 2, contentType: 'audio/wav' },
    });
    await expect(
      checkMedia(files, reference('audio', sound, { limits: { maxSeconds: 1 } }), owner),
    ).rejects.toMatchObject({
      message: 'audio_urls[0]: The audio is 2 s long; at most 1 s is allowed.',
    });
  });
});

describe('the alpha channel of an image of our own storage is judged at submission', () => {
  const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [], allowOrigins: [] });

  async function check(bytes: Buffer, type: 'png' | 'webp' | 'jpeg', alpha: 'required' | 'refused') {
    const opened: string[] = [];
    const { url } = await scene.store.save({
      accountId: 'account_1',
      purpose: 'upload',
      contentType: `image/${type}`,
      lifetimeMs: 60_000,
      bytes,
    });
    const open: typeof scene.storage.open = (key, range) => {
      opened.push(key);
      return scene.storage.open(key, range);
    };
    const watched = new MediaStore({ ...scene, storage: { ...scene.storage, open } });
    const asked = reference('image', url, { limits: { alpha } });
    const outcome = await checkMedia({ client, store: watched, prober }, asked, owner).then(
      () => 'accepted',
      ({ message }: Error) => message,
    );
    return { outcome, reads: opened.length };
  }

  it.each(['png', 'webp'] as const)('of a %s, by its first bytes, read once', async (type) => {
    const [opaque, clear] = [await image(type), await clearImage(type)];
    expect(await check(opaque, type, 'refused')).toEqual({ outcome: 'accepted', reads: 1 });
    expect(await check(clear, type, 'required')).toEqual({ outcome: 'accepted', reads: 1 });
    expect((await check(opaque, type, 'required')).outcome).toBe(
      'image_urls[0]: The image has no alpha channel; one is required.',
    );
    expect((await check(clear, type, 'refused')).outcome).toBe(
      'image_urls[0]: The image has an alpha channel; none is accepted.',
    );
  });

  it('of a JPEG, which never has one, without reading it', async () => {
    expect(await check(await image('jpeg'), 'jpeg', 'refused')).toEqual({ outcome: 'accepted', reads: 0 });
  });
});

describe('many files that are only to be inspected', () => {
  /** Servers that take requests and never answer; `open` is how many wait now, `peak` the most at once. */
  async function silentSites(count: number) {
    const requests = { open: 0, peak: 0 };
    const silent = await Promise.all(
      Array.from({ length: count }, () =>
        serve((_request, response) => {
          requests.open += 1;
          requests.peak = Math.max(requests.peak, requests.open);
          response.on('close', () => {
            requests.open -= 1;
          });
        }),
      ),
    );
    servers.push(...silent);
    return { requests, origins: silent.map(({ origin }) => origin) };
  }

  function loaderFor(allowOrigins: string[], fileTimeoutMs: number) {
    const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [80], allowOrigins });
    const load = createMediaLoader({ client, store: scene.store, prober, fileTimeoutMs });
    return (origin: string, accountId: string, signal = never()) =>
      load([reference('audio', origin)], signal, { owner: { accountId } });
  }

  it.each([
    ['one silent host', 1, (index: number) => `account_${index}`],
    ['the silent hosts of one account', 20, () => 'account_1'],
  ])('of %s have two of five slots, and nobody else waits for them', async (_whose, hosts, accountOf) => {
    const { requests, origins } = await silentSites(hosts);
    const good = await site(await makeSound('wav', 1));
    const inspectOne = loaderFor([...origins, good.origin], ENDLESS_MS);
    const stop = new AbortController();
    const slow = Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => inspectOne(origins[index % hosts] ?? '', accountOf(index), stop.signal)),
    );
    await expect(inspectOne(good.origin, 'account_of_another')).resolves.toMatchObject({ media: [{ seconds: 1 }] });
    expect(requests).toEqual({ open: 2, peak: 2 });
    stop.abort();
    await slow;
  });

  it('of hosts that lately were silent share two of five slots, whosever they are', async () => {
    const { requests, origins } = await silentSites(16);
    const good = await site(await makeSound('wav', 1));
    const inspectOne = loaderFor([...origins, good.origin], SHORT_MS);
    const all = (signal = never()) =>
      Promise.allSettled(origins.map((origin, index) => inspectOne(origin, `account_${index}`, signal)));
    expect((await all()).map(({ status }) => status)).toEqual(origins.map(() => 'rejected'));
    requests.peak = 0;
    const stop = new AbortController();
    const again = all(stop.signal);
    await expect(inspectOne(good.origin, 'account_of_another')).resolves.toMatchObject({ media: [{ seconds: 1 }] });
    stop.abort();
    await again;
    expect(requests.peak).toBe(2);
  });

  it('wait for their turn before their own time begins', async () => {
    const { origins } = await silentSites(1);
    const good = await site(await makeSound('wav', 1));
    const inspectOne = loaderFor([...origins, good.origin], SHORT_MS);
    const slow = Promise.allSettled(Array.from({ length: 4 }, () => inspectOne(origins[0] ?? '', 'account_1')));
    await expect(inspectOne(good.origin, 'account_1')).resolves.toMatchObject({ media: [{ seconds: 1 }] });
    await slow;
  });
});

describe('a file beyond its limits is refused with what was found', () => {
  it.each<[string, keyof typeof KINDS, () => Promise<Buffer>, Partial<MediaReference>, string]>([
    [
      'long',
      'video',
      () => makeVideo({ seconds: 3 }),
      { limits: { maxSeconds: 2 } },
      'The video is 3 s long; at most 2 s is allowed.',
    ],
    [
      'a little long',
      'audio',
      () => makeSound('wav', 2.08),
      { limits: { maxSeconds: 2 } },
      'The audio is 2.1 s long; at most 2 s is allowed.',
    ],
    [
      'short',
      'audio',
      () => makeSound('wav', 1.5),
      { limits: { minSeconds: 2 } },
      'The audio is 1.5 s long; at least 2 s is required.',
    ],
    [
      'small',
      'video',
      () => makeVideo({ seconds: 1, size: '320x180' }),
      { limits: { minSide: 240 } },
      'The video has 320x180 pixels; each side must have at least 240.',
    ],
    [
      'wide',
      'image',
      () => image('png', 900, 100),
      { limits: { maxAspect: 8 } },
      'The image has 900x100 pixels; one side may be at most 8 times the other.',
    ],
    [
      'large',
      'image',
      () => image('jpeg', 300, 301),
      { limits: { maxSide: 300 } },
      'The image has 300x301 pixels; each side may have at most 300.',
    ],
    [
      'without alpha',
      'image',
      () => image('png', 30, 20),
      { limits: { alpha: 'required' } },
      'The image has no alpha channel; one is required.',
    ],
    [
      'with alpha',
      'image',
      () => clearImage('webp'),
      { limits: { alpha: 'refused' } },
      'The image has an alpha channel; none is accepted.',
    ],
    ['heavy', 'video', () => makeVideo({ seconds: 1 }), { maxBytes: 1_000 }, 'The file is larger than 1000 bytes.'],
    [
      'thick',
      'document',
      async () => makePdf(51),
      { limits: { maxPages: 50 } },
      'The document has 51 pages; at most 50 are accepted.',
    ],
  ])('%s', async (_case, role, make, change, problem) => {
    const bytes = await make();
    for (const manner of ['ranges', 'chunked'] as const) {
      const server = await site(bytes, manner);
      await expect(inspect(server.origin, reference(role, server.origin, change))).rejects.toMatchObject({
        name: 'MediaError',
        message: `${role}_urls[0]: ${problem}`,
        transient: false,
      });
    }
  });

  it('but a video whose last frame of sound is full is not too long', async () => {
    const server = await site(await makeSound('mp3', 1.99));
    const asked = reference('audio', server.origin, { limits: { maxSeconds: 2 } });
    await expect(inspect(server.origin, asked)).resolves.toMatchObject({ seconds: expect.closeTo(2.03, 1) });
  });
});

describe('a hostile server', () => {
  /** Inspects a video behind this handler, which must be refused; returns the message, and how many answers it took. */
  async function refused(handler: Parameters<typeof serve>[0], change: Partial<MediaReference> = {}) {
    let answers = 0;
    const server = await serve((request, response) => {
      answers += 1;
      handler(request, response);
    });
    servers.push(server);
    const asked = reference('video', server.origin, change);
    const error = await inspect(server.origin, asked).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'MediaError', field: 'video_urls[0]' });
    return { message: (error as Error).message.replace('video_urls[0]: ', ''), answers };
  }

  const head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1');

  it('that drips in parts has one time limit for all of them', async () => {
    // Every frame of an MP3 must be seen, and each part is there within the limit.
    const track = await makeSound('mp3', 20);
    const bytes = Buffer.concat([track, Buffer.alloc(15_000_000, track.subarray(track.length / 2))]);
    let parts = 0;
    const server = await serve((request, response) => {
      parts += 1;
      const [, start = '0', end = '0'] = /(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      const last = Math.min(Number(end), bytes.length - 1);
      const headers = { 'content-range': `bytes ${start}-${last}/${bytes.length}` };
      setTimeout(() => response.writeHead(206, headers).end(bytes.subarray(Number(start), last + 1)), SHORT_MS / 4);
    });
    servers.push(server);
    const asked = reference('audio', server.origin);
    await expect(inspect(server.origin, asked, { fileTimeoutMs: SHORT_MS })).rejects.toMatchObject({
      message: 'audio_urls[0]: The server did not answer in full within 5 s.',
      transient: true,
    });
    expect(parts).toBeGreaterThan(1);
  });

  it('that claims another size with every part is not believed', async () => {
    const bytes = await makeVideo({ seconds: 4, size: '640x480', args: ['-b:v', '4M'] });
    let size = bytes.length - 1;
    const { message, answers } = await refused((request, response) => {
      const [, start = '0', end = '0'] = /(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      size += 1;
      const last = Math.min(Number(end), size - 1);
      const part = Buffer.alloc(last - Number(start) + 1);
      bytes.copy(part, 0, Number(start), last + 1);
      response.writeHead(206, { 'content-range': `bytes ${start}-${last}/${size}` }).end(part);
    });
    expect({ message, answers }).toEqual({ message: 'The file changed while it was read.', answers: 2 });
  });
  it.each([
    [
      'a page',
      Buffer.from('<!doctype html>sign in'),
      /^The file is of an unknown type; accepted are video\/mp4, video\/quicktime\.$/,
    ],
    ['nothing', Buffer.alloc(0), /^The file is empty/],
    ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/x.ts'), /^The file is of an unknown type/],
    ['a head without a body', head, /^The (?:video cannot be read|file holds no video)\.$/],
    [
      'noise behind a head',
      Buffer.concat([head, Buffer.alloc(200_000, 'noise')]),
      /^The (?:video cannot be read|file holds no video)\.$/,
    ],
    [
      'an index larger than the file',
      Buffer.concat([head, Buffer.from('\x7f\0\0\0moov', 'latin1')]),
      /^The (?:video cannot be read|file holds no video)\.$/,
    ],
  ])('that serves %s instead', async (_case, bytes, problem) => {
    for (const manner of ['ranges', 'whole', 'chunked'] as const) {
      const server = await site(bytes, manner);
      await expect(inspect(server.origin, reference('video', server.origin))).rejects.toMatchObject({
        name: 'MediaError',
        message: expect.stringMatching(new RegExp(`^video_urls\\[0\\]: ${problem.source.slice(1)}`)),
      });
    }
  });

  it('that serves sound as an image, a video as sound, a bomb as an image', async () => {
    const bomb = await image('png');
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    const [sound, silent] = [await makeSound('wav', 1), await makeSound('mp4', 1)];
    for (const [role, bytes, problem] of [
      ['image', sound, 'The file is audio/wav; accepted are image/png, image/jpeg, image/webp, image/bmp.'],
      [
        'audio',
        await makeVideo({ seconds: 1 }),
        'The file is video/mp4; accepted are audio/mpeg, audio/wav, audio/mp4.',
      ],
      ['video', silent, 'The file holds no video.'],
      ['image', bomb, /The image /],
    ] as const) {
      const server = await site(bytes);
      const message = typeof problem === 'string' ? `${role}_urls[0]: ${problem}` : expect.stringMatching(problem);
      await expect(inspect(server.origin, reference(role, server.origin))).rejects.toMatchObject({ message });
    }
  });
});

describe('no connection is made', () => {
  /** How many connections reach a listener that nobody may reach, while `work` is refused. */
  async function reached(work: (port: number) => Promise<unknown>): Promise<{ sockets: number; message: string }> {
    let sockets = 0;
    const inner = createServer((socket) => {
      sockets += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(inner, 'listening');
    const address = inner.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const error = await work(address.port).catch((thrown: unknown) => thrown);
    await new Promise((resolve) => inner.close(resolve));
    return { sockets, message: error instanceof Error ? error.message : 'none' };
  }

  it('through a redirect, at whichever part it comes', async () => {
    for (const redirectAt of [1, 2]) {
      const found = await reached(async (port) => {
        let answers = 0;
        const server = await serve((request, response) => {
          answers += 1;
          if (answers === redirectAt) return response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
          const [, start = '0', end = '0'] = /(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
          const part = Buffer.alloc(Number(end) - Number(start) + 1);
          part.write('\0\0\0\x18ftypisom\0\0\x02\0isommp41\x01\0\0\0mdat', 'latin1');
          return response.writeHead(206, { 'content-range': `bytes ${start}-${end}/50000000` }).end(part);
        });
        servers.push(server);
        return inspect(server.origin, reference('video', server.origin), { allowPorts: [port] });
      });
      expect(found).toEqual({ sockets: 0, message: 'video_urls[0]: The host is not a public address.' });
    }
  });

  it('to a name that turns inwards after the first part', async () => {
    // The index stands at the end, so a second part is needed.
    const bytes = await makeVideo({ seconds: 4, size: '640x480', args: ['-b:v', '4M'] });
    const outer = await serveFile(bytes, 'ranges', '127.0.0.2');
    servers.push(outer);
    const port = Number(new URL(outer.origin).port);
    let sockets = 0;
    const inner = createServer((socket) => {
      sockets += 1;
      socket.destroy();
    }).listen(port, '127.0.0.1');
    await once(inner, 'listening');
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const found = inspect('http://example.com', reference('video', `http://rebind.example:${port}/`), {
      allowPrivateCidrs: ['127.0.0.2/32'],
      allowPorts: [port],
      resolve: async () => answers.shift() ?? [],
    });
    await expect(found).rejects.toMatchObject({ message: 'video_urls[0]: The host is not a public address.' });
    expect({ sockets, outer: outer.asked.length, asked: 2 - answers.length }).toEqual({
      sockets: 0,
      outer: 1,
      asked: 2,
    });
    await new Promise((resolve) => inner.close(resolve));
  });
});
