import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createGuardedClient, type DownloadOptions, type GuardedClientOptions } from '../src';
import { closeListeners, type Listener, listen, listenRaw } from './listeners';

afterEach(closeListeners);

const LIMITS: DownloadOptions = { maxBytes: 1_000, timeoutMs: 60_000 };

/** A client to which 127.0.0.2 is the public internet and everything else is not. */
function clientFor(listeners: Listener[], options: Partial<GuardedClientOptions> = {}) {
  const allowPorts = listeners.map(({ port }) => port);
  return createGuardedClient({ allowPrivateCidrs: ['127.0.0.2/32'], allowPorts, allowOrigins: [], ...options });
}

describe('download', () => {
  it('brings the bytes, the claimed type and the final address', async () => {
    const server = await listen((_request, response) => {
      response.setHeader('content-type', 'Image/PNG; charset=binary').end('image');
    }, '127.0.0.2');
    const url = `http://127.0.0.2:${server.port}/a%20b?c=d`;
    const file = await clientFor([server]).download(url, LIMITS);
    expect(file).toEqual({ bytes: Buffer.from('image'), contentType: 'image/png', finalUrl: url });
  });

  it('asks by name, without compression, on a connection that is not kept', async () => {
    const seen: unknown[] = [];
    const server = await listen((request, response) => {
      seen.push({ url: request.url, ...request.headers });
      response.end('x');
    }, '127.0.0.2');
    const client = clientFor([server], { resolve: async () => ['127.0.0.2'] });
    await client.download(`http://Files.Example.:${server.port}/x?y#z`, { ...LIMITS, accept: 'image/*' });
    await client.download(`http://files.example:${server.port}/x?y`, { ...LIMITS, accept: 'image/*' });
    const expected = expect.objectContaining({
      url: '/x?y',
      host: `files.example:${server.port}`,
      accept: 'image/*',
      'accept-encoding': 'identity',
    });
    expect(seen).toEqual([expected, expected]);
    expect(server.connects()).toBe(2);
  });

  it('is not sent through a proxy that the environment names', async () => {
    const proxy = await listen((_request, response) => response.end('proxied'));
    const server = await listen((_request, response) => response.end('direct'), '127.0.0.2');
    const before = { ...process.env };
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) {
      process.env[name] = `http://127.0.0.1:${proxy.port}`;
    }
    const file = await clientFor([server])
      .download(`http://127.0.0.2:${server.port}/`, LIMITS)
      .finally(() => {
        process.env = before;
      });
    expect(file.bytes.toString()).toBe('direct');
    expect(proxy.connects()).toBe(0);
  });

  it.each([201, 204, 206, 304, 400, 403, 404, 410, 500, 503])('says that the server answered %i', async (status) => {
    const server = await listen((_request, response) => response.writeHead(status).end(), '127.0.0.2');
    const download = clientFor([server]).download(`http://127.0.0.2:${server.port}/`, LIMITS);
    await expect(download).rejects.toMatchObject({ reason: 'http_status', status });
  });
});

describe('a name that changes its answer', () => {
  it('is asked once, and the connection goes to that answer', async () => {
    const good = await listen((_request, response) => response.end('good'), '127.0.0.2');
    const inner = await listen((_request, response) => response.end('inner'), '127.0.0.1', good.port);
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const client = clientFor([good], { resolve: async () => answers.shift() ?? [] });
    const file = await client.download(`http://rebind.example:${good.port}/`, LIMITS);
    expect(file.bytes.toString()).toBe('good');
    expect({ inner: inner.connects(), asked: 2 - answers.length }).toEqual({ inner: 0, asked: 1 });
  });

  it('gains nothing by redirecting to itself', async () => {
    const good = await listen(
      (_request, response) => response.writeHead(302, { location: '/again' }).end(),
      '127.0.0.2',
    );
    const inner = await listen((_request, response) => response.end('inner'), '127.0.0.1', good.port);
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const client = clientFor([good], { resolve: async () => answers.shift() ?? [] });
    const download = client.download(`http://rebind.example:${good.port}/`, LIMITS);
    await expect(download).rejects.toMatchObject({ reason: 'blocked_address' });
    expect(inner.connects()).toBe(0);
  });

  it.each([
    ['has no address', async () => []],
    ['cannot be resolved', () => Promise.reject(new Error('ENOTFOUND'))],
  ])('that %s is a network failure', async (_case, resolve) => {
    const download = clientFor([], { resolve, allowPorts: [80] }).download('http://nowhere.example/', LIMITS);
    await expect(download).rejects.toMatchObject({
      reason: 'network',
      message: 'The host name could not be resolved.',
    });
  });

  it('does not outlast the deadline with a resolver that never answers', async () => {
    const resolve = () => new Promise<string[]>(() => {});
    const client = clientFor([], { resolve, allowPorts: [80] });
    const download = client.download('http://slow.example/', { ...LIMITS, timeoutMs: 50 });
    await expect(download).rejects.toMatchObject({ reason: 'timeout' });
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('%i is followed, relative or absolute', async (status) => {
    const server: Listener = await listen((request, response) => {
      const next = { '/1': '2', '/2': `http://127.0.0.2:${server.port}/3` }[String(request.url)];
      if (next === undefined) response.end('here');
      else response.writeHead(status, { location: next }).end('moved');
    }, '127.0.0.2');
    const file = await clientFor([server]).download(`http://127.0.0.2:${server.port}/1`, LIMITS);
    expect(file).toMatchObject({ bytes: Buffer.from('here'), finalUrl: `http://127.0.0.2:${server.port}/3` });
  });

  it.each([
    ['http://127.0.0.1:PORT/', 'blocked_address'],
    ['//127.0.0.1:PORT/', 'blocked_address'],
    ['http://[::ffff:7f00:1]:PORT/', 'blocked_address'],
    ['http://localhost:PORT/', 'blocked_address'],
    ['http://127.0.0.2:1/', 'blocked_port'],
    ['http://user:pass@127.0.0.2:PORT/', 'bad_url'],
    ['file:///etc/passwd', 'bad_url'],
    ['http://[', 'bad_url'],
  ])('to %s is judged like a first URL', async (location, reason) => {
    const inner = await listen((_request, response) => response.end('inner'));
    const server = await listen((_request, response) => {
      response.writeHead(302, { location: location.replace('PORT', String(inner.port)) }).end();
    }, '127.0.0.2');
    const download = clientFor([server, inner]).download(`http://127.0.0.2:${server.port}/`, LIMITS);
    await expect(download).rejects.toMatchObject({ reason });
    expect(inner.connects()).toBe(0);
  });

  it('end after the allowed number', async () => {
    const server = await listen((_request, response) => response.writeHead(302, { location: '/' }).end(), '127.0.0.2');
    const url = `http://127.0.0.2:${server.port}/`;
    await expect(clientFor([server]).download(url, LIMITS)).rejects.toMatchObject({ reason: 'redirect' });
    expect(server.connects()).toBe(4);
    const none = clientFor([server]).download(url, { ...LIMITS, maxRedirects: 0 });
    await expect(none).rejects.toMatchObject({ reason: 'redirect' });
    expect(server.connects()).toBe(5);
  });

  it('without a location lead nowhere', async () => {
    const server = await listen((_request, response) => response.writeHead(302).end(), '127.0.0.2');
    const download = clientFor([server]).download(`http://127.0.0.2:${server.port}/`, LIMITS);
    await expect(download).rejects.toMatchObject({ reason: 'redirect' });
  });
});

describe('allowed origins', () => {
  it('are reached whatever their address and port, by the client or by one call', async () => {
    const server = await listen((_request, response) => response.end('own'));
    const origin = `http://127.0.0.1:${server.port}`;
    const strict = { allowPrivateCidrs: [], allowPorts: [80], allowOrigins: [] };
    const forAll = createGuardedClient({ ...strict, allowOrigins: [origin] });
    const forOne = createGuardedClient(strict);
    await expect(forAll.download(`${origin}/x`, LIMITS)).resolves.toMatchObject({ bytes: Buffer.from('own') });
    await expect(forOne.download(origin, { ...LIMITS, allowOrigins: [origin] })).resolves.toMatchObject({
      bytes: Buffer.from('own'),
    });
    await expect(forOne.download(origin, LIMITS)).rejects.toMatchObject({ reason: 'blocked_port' });
  });

  it('by name reach the name of the operator, and localhost too', async () => {
    const server = await listen((_request, response) => response.end('own'));
    const trusted: boolean[] = [];
    const client = createGuardedClient({
      allowPrivateCidrs: [],
      allowPorts: [],
      allowOrigins: [`http://simulator:${server.port}`, `http://localhost:${server.port}`],
      resolve: async (_hostname, options) => {
        trusted.push(options.trusted);
        return ['127.0.0.1'];
      },
    });
    for (const host of ['simulator', 'localhost']) {
      const file = await client.download(`http://${host}:${server.port}/`, LIMITS);
      expect(file.bytes.toString()).toBe('own');
    }
    expect(trusted).toEqual([true]);
  });

  it('are out of reach for a redirect from elsewhere', async () => {
    const own = await listen((_request, response) => response.end('own'));
    const location = `http://127.0.0.1:${own.port}/`;
    const stranger = await listen((_request, response) => response.writeHead(302, { location }).end(), '127.0.0.2');
    const client = clientFor([stranger, own], { allowOrigins: [location] });
    const download = client.download(`http://127.0.0.2:${stranger.port}/`, LIMITS);
    await expect(download).rejects.toMatchObject({ reason: 'blocked_address' });
    expect(own.connects()).toBe(0);
  });

  it('cannot redirect to elsewhere unjudged', async () => {
    const inner = await listen((_request, response) => response.end('inner'));
    const location = `http://127.0.0.1:${inner.port}/`;
    const own = await listen((_request, response) => response.writeHead(302, { location }).end());
    const origin = `http://127.0.0.1:${own.port}`;
    const client = clientFor([inner], { allowOrigins: [origin] });
    await expect(client.download(origin, LIMITS)).rejects.toMatchObject({ reason: 'blocked_address' });
    expect(inner.connects()).toBe(0);
  });
});

describe('limits of a download', () => {
  const url = (server: Listener) => `http://127.0.0.2:${server.port}/`;

  it('takes a file of exactly the size allowed', async () => {
    const server = await listen((_request, response) => response.end(Buffer.alloc(1_000)), '127.0.0.2');
    const file = await clientFor([server]).download(url(server), LIMITS);
    expect(file.bytes).toHaveLength(1_000);
  });

  it('refuses an announced size without reading on', async () => {
    const server = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': '1001' }).flushHeaders();
    }, '127.0.0.2');
    const download = clientFor([server]).download(url(server), LIMITS);
    await expect(download).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringContaining('1000 bytes'),
    });
  });

  it('cuts a body that has no end', async () => {
    let sent = 0;
    const server = await listen((_request, response) => {
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', pump);
      pump();
    }, '127.0.0.2');
    const download = clientFor([server]).download(url(server), { ...LIMITS, maxBytes: 100_000 });
    await expect(download).rejects.toMatchObject({ reason: 'too_large' });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  const FILE = Buffer.from('\x89PNG\r\n and what follows it', 'latin1');

  it.each(['', 'identity', 'aws-chunked', 'binary', 'UTF-8', 'none', 'gzip', 'identity, gzip'])(
    'passes on a file that is labelled %j and not compressed',
    async (encoding) => {
      const server = await listen((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(FILE);
      }, '127.0.0.2');
      expect((await clientFor([server]).download(url(server), LIMITS)).bytes).toEqual(FILE);
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['x-gzip', gzipSync],
    ['aws-chunked,gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['deflate, gzip', (bytes: Buffer) => gzipSync(deflateSync(bytes))],
  ])('inflates %s', async (encoding, compress) => {
    const server = await listen((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(FILE));
    }, '127.0.0.2');
    expect((await clientFor([server]).download(url(server), LIMITS)).bytes).toEqual(FILE);
  });

  it('counts the bytes of a compressed file after it was inflated, and stops there', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const server = await listen((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    }, '127.0.0.2');
    const download = clientFor([server]).download(url(server), { ...LIMITS, maxBytes: bomb.length });
    await expect(download).rejects.toMatchObject({ reason: 'too_large' });
  });

  it.each([
    ['inflates to in between', 'gzip, gzip', (bytes: Buffer) => gzipSync(bytes), 'too_large'],
    ['was compressed', 'gzip, gzip, gzip', (bytes: Buffer) => gzipSync(gzipSync(bytes)), 'encoding'],
  ])('bounds how much a file %s, whatever it is in the end', async (_what, encoding, compress, reason) => {
    // Empty blocks inflate to nothing, however many there are.
    const [head, block] = [Buffer.from('1f8b0800000000000003', 'hex'), Buffer.from('000000ffff', 'hex')];
    const nothing = Buffer.concat([head, Buffer.alloc(2_000_000 * block.length, block)]);
    const server = await listen((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(nothing));
    }, '127.0.0.2');
    const download = clientFor([server]).download(url(server), { ...LIMITS, maxBytes: 1_000_000 });
    await expect(download).rejects.toMatchObject({ reason });
  });

  it('refuses a file whose compression is broken', async () => {
    const broken = Buffer.concat([gzipSync('').subarray(0, 10), FILE]);
    const server = await listen((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(broken);
    }, '127.0.0.2');
    const download = clientFor([server]).download(url(server), LIMITS);
    await expect(download).rejects.toMatchObject({ reason: 'encoding' });
  });

  it('cuts a drip at the total deadline, however alive it looks', async () => {
    const timers: NodeJS.Timeout[] = [];
    const server = await listen((_request, response) => {
      response.writeHead(200);
      timers.push(setInterval(() => response.write('.'), 20));
    }, '127.0.0.2');
    const download = clientFor([server]).download(url(server), { ...LIMITS, timeoutMs: 300 });
    await expect(download).rejects.toMatchObject({ reason: 'timeout', message: expect.stringContaining('0.3 s') });
    timers.forEach(clearInterval);
  });

  it('spends one deadline over all redirects, not one on each', async () => {
    const server = await listen((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 120);
    }, '127.0.0.2');
    const download = clientFor([server]).download(url(server), { ...LIMITS, timeoutMs: 300 });
    await expect(download).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('cuts a server that says nothing at all', async () => {
    const server = await listenRaw(() => {}, '127.0.0.2');
    const download = clientFor([server]).download(url(server), { ...LIMITS, timeoutMs: 100 });
    await expect(download).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('refuses headers beyond 16 kB', async () => {
    const server = await listenRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`);
    }, '127.0.0.2');
    const download = clientFor([server]).download(url(server), LIMITS);
    await expect(download).rejects.toMatchObject({
      reason: 'network',
      message: 'The headers of the answer are too large.',
    });
  });

  it('does not pass a file off as whole when the connection broke', async () => {
    const server = await listenRaw((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
    }, '127.0.0.2');
    const download = clientFor([server]).download(url(server), LIMITS);
    await expect(download).rejects.toMatchObject({ reason: 'network' });
  });

  it('says so when nobody listens or what answers is not HTTP', async () => {
    const gone = await listen(() => {}, '127.0.0.2');
    await closeListeners();
    const refused = clientFor([gone]).download(url(gone), LIMITS);
    await expect(refused).rejects.toMatchObject({ reason: 'network', message: 'The connection was refused.' });
    const server = await listenRaw((socket) => socket.end('220 smtp.example ready\r\n'), '127.0.0.2');
    await expect(clientFor([server]).download(url(server), LIMITS)).rejects.toMatchObject({ reason: 'network' });
  });

  it('ends with the caller’s signal', async () => {
    const caller = new AbortController();
    const server = await listen(() => caller.abort(), '127.0.0.2');
    const download = clientFor([server]).download(url(server), { ...LIMITS, signal: caller.signal });
    await expect(download).rejects.toMatchObject({ reason: 'aborted' });
  });

  it('leaves nothing behind: no connection, no listener on the caller’s signal', async () => {
    const closed: Promise<unknown>[] = [];
    const server: Listener = await listen((request, response) => {
      closed.push(once(request.socket, 'close'));
      // An idle connection would be kept for longer than a test may take.
      response.setHeader('keep-alive', 'timeout=600');
      if (request.url === '/') response.writeHead(302, { location: '/file' }).end('moved');
      else response.end('x');
    }, '127.0.0.2');
    const { signal } = new AbortController();
    await clientFor([server]).download(url(server), { ...LIMITS, signal });
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('opens no more connections at once than allowed', async () => {
    const asked: ServerResponse[] = [];
    let peak = 0;
    // The first is answered once there are two; more of them would come in the moment before it is.
    const server = await listen((_request, response) => {
      peak = Math.max(peak, asked.push(response));
      if (asked.length > 1) setTimeout(() => asked.splice(0).map((each) => each.end('x')), 20);
    }, '127.0.0.2');
    const client = clientFor([server], { maxConnections: 2 });
    const byOwner = (index: number) => ({ ...LIMITS, owner: { accountId: `account ${index % 2}` } });
    await Promise.all(Array.from({ length: 10 }, (_, index) => client.download(url(server), byOwner(index))));
    expect(peak).toBe(2);
    expect(server.connects()).toBe(10);
  });

  it('says nothing of addresses, URLs or bodies in its messages', async () => {
    const server = await listen((_request, response) => response.writeHead(500).end('inner secret'), '127.0.0.2');
    const client = clientFor([server], { resolve: async () => ['10.1.2.3'] });
    for (const target of [`${url(server)}?signature=s3cret`, `http://name.example:${server.port}/?signature=s3cret`]) {
      const failure = await client.download(target, LIMITS).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect((failure as Error).message).not.toMatch(/secret|s3cret|127\.|10\.|name\.example/);
    }
  });
});
