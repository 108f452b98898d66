import type { RequestListener } from 'node:http';
import type { LoadedMedia, MediaReference } from '@mediagate/contracts';
import { createGuardedClient } from '@mediagate/egress';
import { type CheckedMedia, checkMedia, createMediaLoader, createProber, type MediaLoader } from '../src';
import { image, openStore, serve } from './fixtures';

const owner = { accountId: 'account_1' };
let scene: Awaited<ReturnType<typeof openStore>>;
let site: Awaited<ReturnType<typeof serve>>;
let answer: RequestListener;
let requests: string[];
let load: (references: MediaReference[], signal: AbortSignal) => Promise<LoadedMedia[]>;
let hold: (references: MediaReference[], signal: AbortSignal) => ReturnType<MediaLoader>;
let check: (reference: MediaReference) => Promise<CheckedMedia>;

beforeAll(async () => {
  scene = await openStore();
  site = await serve((request, response) => {
    requests.push(String(request.url));
    answer(request, response);
  });
  const client = createGuardedClient({ allowPrivateCidrs: [], allowPorts: [80, 443], allowOrigins: [site.origin] });
  const loader = createMediaLoader({ client, store: scene.store, prober: createProber(), maxHeldBytes: HELD_BYTES });
  load = async (references, signal) => {
    const { media, release } = await hold(references, signal);
    release();
    return media;
  };
  hold = (references, signal) => loader(references, signal, { owner });
  const prober = createProber();
  check = (reference) => checkMedia({ client, store: scene.store, prober }, reference, owner);
});

afterAll(async () => {
  await site.close();
  await scene.close();
});

beforeEach(() => {
  requests = [];
});

/** Room of the loader for all files at once. */
const HELD_BYTES = 2_000_000;

const never = () => new AbortController().signal;

const reference = (url: string, change: Partial<MediaReference> = {}): MediaReference => ({
  field: 'image_urls[0]',
  role: 'image',
  url,
  contentTypes: ['image/png', 'image/jpeg'],
  maxBytes: 1_000_000,
  ...change,
});

const dataUrl = (bytes: Buffer, contentType = 'image/png') => `data:${contentType};base64,${bytes.toString('base64')}`;

describe('the loader', () => {
  it('brings files from the web, from our own storage and from the body, in the order asked', async () => {
    const [fetched, own, inline] = [await image('png'), await image('jpeg', 40, 10), await image('png', 8, 9)];
    answer = (_request, response) => response.setHeader('content-type', 'text/plain').end(fetched);
    const saved = await scene.store.save({
      accountId: 'account_1',
      purpose: 'upload',
      bytes: own,
      contentType: 'image/jpeg',
      lifetimeMs: 60_000,
    });
    const media = await load(
      [
        reference(`${site.origin}/a.gif`),
        reference(saved.url, { field: 'image_urls[1]' }),
        reference(dataUrl(inline), { field: 'mask_url', role: 'mask' }),
      ],
      never(),
    );
    expect(media).toEqual([
      { field: 'image_urls[0]', role: 'image', contentType: 'image/png', bytes: fetched, width: 30, height: 20 },
      { field: 'image_urls[1]', role: 'image', contentType: 'image/jpeg', bytes: own, width: 40, height: 10 },
      { field: 'mask_url', role: 'mask', contentType: 'image/png', bytes: inline, width: 8, height: 9 },
    ]);
    expect(requests).toEqual(['/a.gif']);
  });

  it('loads at most four files at once', async () => {
    const png = await image('png');
    let active = 0;
    let peak = 0;
    answer = (_request, response) => {
      active += 1;
      peak = Math.max(peak, active);
      setImmediate(() => {
        active -= 1;
        response.end(png);
      });
    };
    const media = await load(
      Array.from({ length: 16 }, (_, index) => reference(`${site.origin}/${index}`, { field: `image_urls[${index}]` })),
      never(),
    );
    expect(media.map(({ field }) => field)).toEqual(Array.from({ length: 16 }, (_, index) => `image_urls[${index}]`));
    expect(peak).toBeLessThanOrEqual(4);
  });

  it('names field, limit and finding of a file that is too large', async () => {
    answer = (_request, response) => response.end(Buffer.alloc(2_000));
    const fetched = load([reference(`${site.origin}/big`, { maxBytes: 1_500 })], never());
    await expect(fetched).rejects.toMatchObject({
      name: 'MediaError',
      field: 'image_urls[0]',
      message: 'image_urls[0]: The file is larger than 1500 bytes.',
      transient: false,
    });
    const png = await image('png', 100, 100);
    const { url } = await scene.store.save({
      accountId: 'account_1',
      purpose: 'upload',
      bytes: png,
      contentType: 'image/png',
      lifetimeMs: 60_000,
    });
    const message = `image_urls[0]: The file has ${png.length} bytes; at most 1500 are accepted.`;
    await expect(load([reference(url, { maxBytes: 1_500 })], never())).rejects.toMatchObject({ message });
  });

  it.each([
    [
      'another image',
      () => image('gif'),
      'The file is image/gif; accepted are image/png, image/jpeg. Send it to /v1/files first, where it becomes one of these, and give its id.',
    ],
    [
      'a page',
      async () => Buffer.from('<html>'),
      'The file is of an unknown type; accepted are image/png, image/jpeg.',
    ],
    ['nothing', async () => Buffer.alloc(0), 'The file is empty: it has 0 bytes.'],
    ['a broken image', async () => (await image('png')).subarray(0, 12), 'The image is damaged or ends too early.'],
  ])('does not take %s for what it claims to be', async (_case, make, problem) => {
    const bytes = await make();
    answer = (_request, response) => response.setHeader('content-type', 'image/png').end(bytes);
    await expect(load([reference(`${site.origin}/x.png`)], never())).rejects.toMatchObject({
      name: 'MediaError',
      message: `image_urls[0]: ${problem}`,
    });
  });

  it('refuses a bomb by its header', async () => {
    const bomb = await image('png');
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    await expect(load([reference(dataUrl(bomb))], never())).rejects.toMatchObject({
      name: 'MediaError',
      message: expect.stringMatching(/^image_urls\[0\]: The image /),
    });
  });

  it.each([
    [404, false],
    [403, false],
    [500, true],
    [503, true],
    [429, true],
  ])('tells whether a %i may pass by itself', async (status, transient) => {
    answer = (_request, response) => response.writeHead(status).end();
    await expect(load([reference(site.origin)], never())).rejects.toMatchObject({
      name: 'MediaError',
      message: `image_urls[0]: The server answered ${status}.`,
      transient,
    });
  });

  it('fetches nothing from a private address', async () => {
    await expect(load([reference('http://127.0.0.1/x.png')], never())).rejects.toMatchObject({
      message: 'image_urls[0]: The host is not a public address.',
      transient: false,
    });
  });

  it('never fetches our own links, not even bad ones', async () => {
    const forged = `https://media.example/v1/files/${'0'.repeat(26)}.png?expires=9999999999&signature=x`;
    await expect(load([reference(forged)], never())).rejects.toMatchObject({
      message: 'image_urls[0]: The link is not valid or has expired.',
    });
  });

  it('stops the other files when one cannot be used, and tells of that one', async () => {
    let hangUps = 0;
    const hungUp = new Promise<void>((resolve) => {
      answer = (request, response) => {
        if (request.url === '/bad') setImmediate(() => response.writeHead(404).end());
        else
          request.once('close', () => {
            hangUps += 1;
            resolve();
          });
      };
    });
    const media = load(
      [reference(`${site.origin}/slow`), reference(`${site.origin}/bad`, { field: 'image_urls[1]' })],
      never(),
    );
    await expect(media).rejects.toMatchObject({ field: 'image_urls[1]' });
    await hungUp;
    expect(hangUps).toBe(1);
  });

  it('holds no more than it has room for: the next task waits until the bytes of another are given back', async () => {
    const bytes = await image('png');
    answer = (_request, response) => response.end(bytes);
    const all = (path: string) => [reference(`${site.origin}${path}`, { maxBytes: HELD_BYTES })];
    const first = await hold(all('/first'), never());
    const second = hold(all('/second'), never());
    await fetch(`${site.origin}/meanwhile`);
    expect(requests).toEqual(['/first', '/meanwhile']);
    first.release();
    (await second).release();
    expect(requests).toEqual(['/first', '/meanwhile', '/second']);
  });

  it('lets a task whose files are only inspected pass those that wait for bytes', async () => {
    const bytes = await image('png');
    answer = (_request, response) => response.end(bytes);
    const all = (path: string) => [reference(`${site.origin}${path}`, { maxBytes: HELD_BYTES })];
    const first = await hold(all('/first'), never());
    const second = hold(all('/second'), never());
    const inspected = await hold([reference(`${site.origin}/inspected`, { inspectOnly: true })], never());
    expect(inspected.media).toHaveLength(1);
    expect(requests).not.toContain('/second');
    inspected.release();
    first.release();
    (await second).release();
  });

  it('leaves out what the job can do without, where it is gone or does not fit', async () => {
    const saved = await scene.store.save({
      accountId: 'account_1',
      purpose: 'result',
      bytes: await image('png'),
      contentType: 'image/png',
      lifetimeMs: 60_000,
    });
    const gone = reference(`${saved.url}x`, { optional: true });
    const large = reference(saved.url, { optional: true, maxBytes: 10 });
    const fits = reference(saved.url, { optional: true });
    expect(await load([gone, large, fits], never())).toMatchObject([{ contentType: 'image/png', width: 30 }]);
    await expect(load([{ ...gone, optional: false }], never())).rejects.toMatchObject({ name: 'MediaError' });
    await expect(Promise.all([gone, large].map((reference) => check(reference)))).resolves.toEqual([{}, {}]);
  });

  it('does not blame the caller when the work is called off', async () => {
    const worker = new AbortController();
    answer = () => worker.abort();
    const media = load([reference(site.origin)], worker.signal);
    await expect(media).rejects.toMatchObject({ name: 'EgressError', reason: 'aborted' });
  });
});

describe('the checker, at submission', () => {
  it('has nothing against what must be looked at to be judged', async () => {
    await expect(check(reference('https://example.com/a.png'))).resolves.toEqual({});
  });

  it('gives back the file that a data URL holds', async () => {
    const bytes = await image('png');
    const file = { bytes, contentType: 'image/png', width: 30, height: 20 };
    await expect(check(reference(dataUrl(bytes)))).resolves.toMatchObject({ file, bytes: bytes.length });
  });

  it.each([
    ['http://localhost/a.png', 'The host is not a public address.'],
    ['http://0x7f.1/a.png', 'The host is not a public address.'],
    ['ftp://example.com/a.png', 'The URL must begin with http:// or https://.'],
    ['https://example.com:8443/a.png', 'Port 8443 is not allowed.'],
    ['data:image/png;base64,!', 'The data URL is not valid base64.'],
    [dataUrl(Buffer.from('no image')), 'The file is of an unknown type; accepted are image/png, image/jpeg.'],
    [
      dataUrl(Buffer.from('GIF89a'), 'image/png'),
      'The file is image/gif; accepted are image/png, image/jpeg. Send it to /v1/files first, where it becomes one of these, and give its id.',
    ],
  ])('refuses %s', async (url, problem) => {
    await expect(check(reference(url))).rejects.toMatchObject({
      name: 'MediaError',
      message: `image_urls[0]: ${problem}`,
    });
    expect(requests).toEqual([]);
  });

  it('knows our own links', async () => {
    const bytes = await image('png');
    const saved = await scene.store.save({
      accountId: 'account_1',
      purpose: 'upload',
      bytes,
      contentType: 'image/png',
      lifetimeMs: 60_000,
    });
    await expect(check(reference(saved.url))).resolves.toEqual({ contentType: 'image/png', bytes: saved.bytes });
    await expect(check(reference(saved.url, { contentTypes: ['image/jpeg'] }))).rejects.toMatchObject({
      message: 'image_urls[0]: The file is image/png; accepted are image/jpeg. Convert it to JPEG.',
    });
    await expect(check(reference(saved.url, { maxBytes: 10 }))).rejects.toMatchObject({
      message: `image_urls[0]: The file has ${bytes.length} bytes; at most 10 are accepted.`,
    });
    await expect(check(reference(`${saved.url}x`))).rejects.toMatchObject({
      message: 'image_urls[0]: The link is not valid or has expired.',
    });
  });
});
