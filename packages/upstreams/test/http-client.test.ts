import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { HELD_LIMIT_MS, holdLimits } from '@mediagate/testkit/clock';
import FormData from 'form-data';
import {
  type Replay,
  type ReplayServer,
  readForm,
  replyWith,
  startReplayServer,
} from '../src/conformance/replay-server';
import { createHttpClient, type HttpClient, type HttpClientOptions, type VendorRequest } from '../src/http-client';
import { OriginPools } from '../src/origin-pools';

let server: ReplayServer | undefined;
let client: HttpClient | undefined;
const limits = holdLimits();

afterEach(async () => {
  await client?.close();
  await server?.close();
  server = undefined;
});

async function listen(replay: Replay): Promise<ReplayServer> {
  server = await startReplayServer(replay);
  return server;
}

function open(options?: HttpClientOptions): HttpClient {
  client = createHttpClient(options);
  return client;
}

function request(url: string, changes: Partial<VendorRequest> = {}): VendorRequest {
  const signal = new AbortController().signal;
  return {
    method: 'POST',
    url,
    headers: {},
    body: { json: {} },
    signal,
    timeoutMs: 60_000,
    maxResponseBytes: 1_000_000,
    ...changes,
  };
}

const ok: Replay = (response) => replyWith(response, 200, {}, { fine: true });

it('opens no more connections than allowed, and a request that was still waiting for one was not sent', async () => {
  const { origin, waitFor, connections, received } = await listen(() => undefined);
  const http = open({ whole: { maxConnections: 1 } });
  const abort = new AbortController();
  const first = http.send(request(origin, { signal: abort.signal }));
  await waitFor(1);
  const second = http.send(request(origin, { timeoutMs: 50 }));
  expect(await second).toEqual({ kind: 'lost', sent: false, why: 'deadline' });
  abort.abort();
  expect(await first).toEqual({ kind: 'lost', sent: true, why: 'aborted' });
  expect([connections(), received.length]).toEqual([1, 1]);
});

it('counts the bytes after inflating, so a bomb is cut at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const { origin } = await listen((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(bomb);
  });
  const before = process.memoryUsage.rss();
  const reply = await open().send(request(origin));
  expect(bomb.length).toBeLessThan(1_000_000);
  expect(reply).toMatchObject({ kind: 'answer', body: { kind: 'unreadable', why: 'too_large' } });
  expect(process.memoryUsage.rss() - before).toBeLessThan(40 * 1024 * 1024);
});

it('reads at most 256 MiB of an answer, whatever its call allows', async () => {
  const { origin } = await listen(ok);
  const sent = jest.spyOn(OriginPools.prototype, 'send');
  try {
    await open().send(request(origin, { maxResponseBytes: Number.MAX_SAFE_INTEGER }));
    expect(sent.mock.calls.map(([{ maxBodyBytes }]) => maxBodyBytes)).toEqual([256 * 1024 * 1024]);
  } finally {
    sent.mockRestore();
  }
});

it('reads no more than 4 MB of an error, and still knows its status', async () => {
  const { origin } = await listen((response) => replyWith(response, 400, {}, `"${'x'.repeat(5 * 1024 * 1024)}"`));
  const reply = await open().send(request(origin, { maxResponseBytes: 100 * 1024 * 1024 }));
  expect(reply).toMatchObject({ kind: 'answer', status: 400, body: { kind: 'unreadable', why: 'too_large' } });
});

it.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('reads an answer compressed by %s though it asked for none', async (encoding, compress) => {
  const { origin } = await listen((response) => {
    response.writeHead(200, { 'content-encoding': encoding });
    response.end(compress('{"fine":true}'));
  });
  expect(await open().send(request(origin))).toMatchObject({ body: { kind: 'json', value: { fine: true } } });
});

it.each(['', 'identity', 'aws-chunked', 'binary', 'UTF-8', 'gzip', 'identity, x-gzip'])(
  'reads an answer that is labelled %j and not compressed',
  async (encoding) => {
    const { origin } = await listen((response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end('{"fine":true}');
    });
    expect(await open().send(request(origin))).toMatchObject({ body: { kind: 'json', value: { fine: true } } });
  },
);

it('an answer whose compression is broken is none', async () => {
  const broken = Buffer.concat([gzipSync('').subarray(0, 10), Buffer.from('plain')]);
  const { origin } = await listen((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(broken);
  });
  expect(await open().send(request(origin))).toMatchObject({ body: { kind: 'unreadable', why: 'truncated' } });
});

it('of a header that comes twice the first counts', async () => {
  const { origin } = await listen((response) => {
    response.writeHead(429, ['retry-after', '7', 'retry-after', '9']);
    response.end('{}');
  });
  expect(await open().send(request(origin))).toMatchObject({ status: 429, headers: { 'retry-after': '7' } });
});

it.each([301, 302, 307, 308])('follows no redirect of %i, and does not say its key elsewhere', async (status) => {
  const { origin, received } = await listen((response) => replyWith(response, status, { location: '/elsewhere' }, {}));
  const headers = { authorization: 'Bearer secret' };
  expect(await open().send(request(origin, { headers }))).toMatchObject({ kind: 'answer', status });
  expect(received.map(({ path }) => path)).toEqual(['/']);
});

it.each(['GET', 'DELETE', 'PUT', 'POST'] as const)(
  'sends %s without a body, and with what it was given',
  async (method) => {
    const { origin, received } = await listen(ok);
    const { body: _, ...bare } = request(`${origin}/v1/jobs/7?a=b%20c`, { method, headers: { 'X-Key': 'k' } });
    expect(await open().send(bare)).toMatchObject({ status: 200 });
    expect(received[0]).toMatchObject({ method, path: '/v1/jobs/7?a=b%20c', body: Buffer.alloc(0) });
    expect(received[0]?.headers).toMatchObject({
      'x-key': 'k',
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  },
);

it('names what a vendor that hangs up did as a reset, and nothing of the request', async () => {
  const { origin } = await listen((response) => response.destroy());
  const reply = await open().send(request(origin, { headers: { authorization: 'Bearer secret' } }));
  expect(reply).toEqual({ kind: 'lost', sent: true, why: 'network', code: 'ECONNRESET' });
});

it('an answer that the caller leaves in its middle is cut, and its connection is not used again', async () => {
  const abort = new AbortController();
  const { origin, connections } = await listen((response, index) => {
    if (index > 0) return ok(response, index);
    response.writeHead(200);
    // More than sockets hold: the status line was read by then.
    response.write(Buffer.alloc(32 * 1024 * 1024), () => abort.abort());
  });
  const http = open();
  const reply = await http.send(request(origin, { signal: abort.signal, maxResponseBytes: 64 * 1024 * 1024 }));
  expect(reply).toMatchObject({ kind: 'answer', status: 200, body: { kind: 'unreadable', why: 'aborted' } });
  expect(await http.send(request(origin))).toMatchObject({ status: 200 });
  expect(connections()).toBe(2);
});

it('keeps the connections of vendors apart, and sends nothing more once it is closed', async () => {
  const { origin, received } = await listen(ok);
  const http = open();
  await http.send(request(origin));
  await http.close();
  expect(await http.send(request(origin))).toEqual({ kind: 'lost', sent: false, why: 'aborted' });
  expect(received).toHaveLength(1);
});

describe('where a file is expected', () => {
  const bytes = Buffer.from('ID3\0\xff{"not":"json"}', 'latin1');
  const asked = (origin: string, changes: Partial<VendorRequest> = {}) =>
    open().send(request(origin, { expects: 'file', ...changes }));

  it.each(['audio/mpeg', 'video/mp4', 'application/octet-stream', 'Audio/WAV; rate=8000'])(
    '%s comes as bytes',
    async (type) => {
      const { origin } = await listen((response) => replyWith(response, 200, { 'content-type': type }, bytes));
      expect(await asked(origin)).toMatchObject({ status: 200, body: { kind: 'file', bytes } });
    },
  );

  it.each([
    [200, 'application/json'],
    [422, 'audio/mpeg'],
  ])('what comes under %i as %s is read as JSON', async (status, type) => {
    const { origin } = await listen((response) =>
      replyWith(response, status, { 'content-type': type }, { detail: 'no' }),
    );
    expect(await asked(origin)).toMatchObject({ status, body: { kind: 'json', value: { detail: 'no' } } });
  });

  it('one over the byte limit, or cut short, is none', async () => {
    const type = { 'content-type': 'audio/mpeg' };
    const { origin } = await listen((response, index) => {
      if (index === 0) return replyWith(response, 200, type, bytes);
      response.writeHead(200, { ...type, 'content-length': '1000' });
      response.write(bytes, () => response.destroy());
    });
    expect(await asked(origin, { maxResponseBytes: 8 })).toMatchObject({ body: { why: 'too_large' } });
    expect(await asked(origin)).toMatchObject({ body: { why: 'truncated' } });
  });
});

it('cuts a slow body at the total deadline and still knows the status', async () => {
  const { origin } = await listen((response) => {
    response.writeHead(429, { 'retry-after': '1' });
    const timer = setInterval(() => response.write(' '), 10);
    response.once('close', () => clearInterval(timer));
  });
  const sent = open().send(request(origin, { timeoutMs: HELD_LIMIT_MS }));
  // From the first byte to the last of the headers, and from there on.
  await limits.begun(2);
  limits.pass();
  const reply = await sent;
  expect(reply).toMatchObject({ kind: 'answer', status: 429, headers: { 'retry-after': '1' } });
  expect(reply).toMatchObject({ body: { kind: 'unreadable', why: 'deadline' } });
});

it('ignores the proxy of the environment', async () => {
  const { origin } = await listen(ok);
  const before = process.env['http_proxy'];
  process.env['http_proxy'] = 'http://127.0.0.1:1';
  try {
    expect(await open().send(request(origin))).toMatchObject({ kind: 'answer', status: 200 });
  } finally {
    if (before === undefined) delete process.env['http_proxy'];
    else process.env['http_proxy'] = before;
  }
});

it('sends a form of many megabytes whole, with its length', async () => {
  const { origin, received } = await listen(ok);
  const bytes = Buffer.alloc(12 * 1024 * 1024, 'x');
  const form = new FormData();
  form.append('image[]', bytes, { filename: 'a.png', contentType: 'image/png' });
  expect(await open().send(request(origin, { body: { form } }))).toMatchObject({ status: 200 });
  const [sent] = received;
  if (!sent) throw new Error('nothing received');
  expect(sent.headers['content-length']).toBe(String(sent.body.length));
  expect((await readForm(sent)).files[0]?.base64).toBe(bytes.toString('base64'));
});

it('throws what is a bug of the caller instead of calling it a network failure', async () => {
  const json = { amount: 1n } as unknown as Record<string, never>;
  await expect(open().send(request('http://127.0.0.1:1', { body: { json } }))).rejects.toThrow(TypeError);
});

it('reads ids of more digits than a number holds as text, and leaves every other number and text alone', async () => {
  const json = '{"id":829836802793406551,"list":[-9007199254740993],"near":9007199254740991,"rate":0.1234567890123456,';
  const texts = String.raw`"said":"829836802793406551, \"829836802793406551\": 829836802793406551"}`;
  const { origin } = await listen((response) => replyWith(response, 200, {}, json + texts));
  expect(await open().send(request(origin))).toMatchObject({
    body: {
      kind: 'json',
      value: {
        id: '829836802793406551',
        list: ['-9007199254740993'],
        near: 9007199254740991,
        rate: 0.1234567890123456,
        said: '829836802793406551, "829836802793406551": 829836802793406551',
      },
    },
  });
});
