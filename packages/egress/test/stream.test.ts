import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createGuardedClient, type FilePart, type StreamOptions } from '../src';
import { collect } from '../src/incoming';
import { closeListeners, type Listener, listen, listenRaw } from './listeners';

afterEach(closeListeners);

const FILE = Buffer.from('0123456789');
const LIMITS: StreamOptions = { maxBytes: 1_000, timeoutMs: 60_000 };

/** A client to which 127.0.0.2 is the public internet and everything else is not. */
function clientFor(...listeners: Listener[]) {
  const allowPorts = listeners.map(({ port }) => port);
  return createGuardedClient({ allowPrivateCidrs: ['127.0.0.2/32'], allowPorts, allowOrigins: [] });
}

/** Answers 206 with these headers and bytes, whatever is asked. */
function answering(contentRange: string | undefined, bytes: Buffer, headers: Record<string, string> = {}) {
  const range = contentRange === undefined ? {} : { 'content-range': contentRange };
  return listen((_request, response) => response.writeHead(206, { ...range, ...headers }).end(bytes), '127.0.0.2');
}

/** Asks for a part and reads the answer. */
async function ask(server: Listener, part: FilePart, options: Partial<StreamOptions> = {}) {
  const url = `http://127.0.0.2:${server.port}/`;
  return clientFor(server).stream(url, { ...LIMITS, ...options, part }, async ({ body, ...file }) => ({
    ...file,
    text: (await collect(body)).toString(),
  }));
}

describe('a file that is read more slowly than it comes', () => {
  const CHUNK = Buffer.alloc(64 * 1024, 7);

  /** `chunks` of a body without a length, then the end as `finish` makes it. */
  function sending(chunks: number, finish: (socket: Socket) => void, header = 'Connection: close') {
    return listenRaw((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`);
        for (let sent = 1; sent < chunks; sent += 1) socket.write(CHUNK);
        socket.write(CHUNK, () => finish(socket));
      });
    }, '127.0.0.2');
  }

  async function readSlowly(server: Listener) {
    const limits = { ...LIMITS, maxBytes: 64 * CHUNK.length };
    return clientFor(server).stream(`http://127.0.0.2:${server.port}/`, limits, async ({ body }) => {
      let bytes = 0;
      for await (const chunk of body) {
        bytes += chunk.length;
        await setTimeout(5);
      }
      return bytes;
    });
  }

  it.each([1, 2, 3, 5, 8, 20])('comes whole in %i pieces, though its server says goodbye at once', async (chunks) => {
    const server = await sending(chunks, (socket) => socket.end());
    await expect(readSlowly(server)).resolves.toBe(chunks * CHUNK.length);
  });

  it('makes its server wait while nobody reads, and comes whole after that', async () => {
    /** The buffers of both sides of one loopback connection together hold fewer bytes than this. */
    const inFlightBytes = 16 * 1024 * 1024;
    const chunks = 1024;
    let sent = 0;
    const server = await listenRaw((socket) => {
      const send = () => {
        sent += 1;
        if (sent === chunks) socket.end(CHUNK);
        else socket.write(CHUNK, send);
      };
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n', send));
    }, '127.0.0.2');
    const limits = { ...LIMITS, maxBytes: chunks * CHUNK.length, timeoutMs: 60_000 };
    const bytes = await clientFor(server).stream(`http://127.0.0.2:${server.port}/`, limits, async ({ body }) => {
      let before = -1;
      while (before !== sent) {
        before = sent;
        await setTimeout(100);
      }
      expect(sent * CHUNK.length).toBeLessThan(inFlightBytes);
      return (await collect(body)).length;
    });
    expect(bytes).toBe(chunks * CHUNK.length);
  });

  it('fails, and nothing else does, when its server breaks off', async () => {
    const server = await sending(8, (socket) => socket.resetAndDestroy(), 'Content-Length: 900000');
    await expect(readSlowly(server)).rejects.toMatchObject({ name: 'EgressError', reason: 'network' });
  });
});

describe('a part of a file', () => {
  it('is asked for and comes with the size of the whole', async () => {
    const asked: unknown[] = [];
    const server = await listen((request, response) => {
      asked.push(request.headers.range, request.headers['accept-encoding']);
      response.writeHead(206, { 'content-range': 'bytes 2-4/10', 'content-type': 'Video/MP4; x=y' });
      response.end(FILE.subarray(2, 5));
    }, '127.0.0.2');
    const url = `http://127.0.0.2:${server.port}/`;
    await expect(ask(server, { start: 2, end: 4 })).resolves.toEqual({
      part: { start: 2, end: 4 },
      totalBytes: 10,
      contentType: 'video/mp4',
      finalUrl: url,
      text: '234',
    });
    expect(asked).toEqual(['bytes=2-4', 'identity']);
  });

  it('may reach beyond the end of the file', async () => {
    const server = await answering('bytes 8-9/10', FILE.subarray(8));
    await expect(ask(server, { start: 8, end: 99 })).resolves.toMatchObject({ part: { start: 8, end: 9 }, text: '89' });
  });

  it('may be of a file whose size the server does not know', async () => {
    const server = await answering('bytes 0-3/*', FILE.subarray(0, 4));
    await expect(ask(server, { start: 0, end: 9 })).resolves.toMatchObject({ totalBytes: undefined, text: '0123' });
  });

  it('is the whole file where the server knows no parts', async () => {
    const server = await listen((_request, response) => response.end(FILE), '127.0.0.2');
    await expect(ask(server, { start: 2, end: 4 })).resolves.toMatchObject({
      part: undefined,
      totalBytes: 10,
      text: '0123456789',
    });
  });

  it.each([
    ['begins elsewhere', 'bytes 0-4/10'],
    ['ends later than asked', 'bytes 2-5/10'],
    ['ends sooner than it could', 'bytes 2-3/10'],
    ['ends before it begins', 'bytes 2-1/10'],
    ['is in other units', 'items 2-4/10'],
    ['is not named', undefined],
    ['is not one number', 'bytes 2-4, 6-8/10'],
  ])('that %s is refused', async (_case, contentRange) => {
    const server = await answering(contentRange, FILE.subarray(2, 5));
    await expect(ask(server, { start: 2, end: 4 })).rejects.toMatchObject({ reason: 'range' });
  });

  it.each([
    ['longer', Buffer.alloc(4)],
    ['shorter', Buffer.alloc(2)],
  ])('that is %s than announced is refused', async (_case, bytes) => {
    const server = await answering('bytes 2-4/10', bytes, { 'transfer-encoding': 'chunked' });
    await expect(ask(server, { start: 2, end: 4 })).rejects.toMatchObject({ reason: 'range' });
  });

  it('of a file that is too large as a whole is refused', async () => {
    const server = await answering('bytes 0-3/1001', Buffer.alloc(4));
    await expect(ask(server, { start: 0, end: 3 })).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('of a compressed file is refused: nobody can inflate it', async () => {
    const server = await answering('bytes 0-3/10', FILE.subarray(0, 4), { 'content-encoding': 'gzip' });
    await expect(ask(server, { start: 0, end: 3 })).rejects.toMatchObject({ reason: 'encoding' });
  });

  it('is refused with its status when it lies outside the file', async () => {
    const server = await listen((_request, response) => response.writeHead(416).end(), '127.0.0.2');
    await expect(ask(server, { start: 0, end: 3 })).rejects.toMatchObject({ reason: 'http_status', status: 416 });
  });

  it('is asked for anew at every redirect, and not from an inner address', async () => {
    const inner = await answering('bytes 0-3/10', FILE.subarray(0, 4));
    const lure = await listen((request, response) => {
      const location = request.url === '/' ? '/next' : `http://127.0.0.1:${inner.port}/`;
      response.writeHead(302, { location }).end();
    }, '127.0.0.2');
    const client = clientFor(lure, inner);
    const stream = client.stream(
      `http://127.0.0.2:${lure.port}/`,
      { ...LIMITS, part: { start: 0, end: 3 } },
      ({ body }) => collect(body),
    );
    await expect(stream).rejects.toMatchObject({ reason: 'blocked_address' });
    expect({ lure: lure.connects(), inner: inner.connects() }).toEqual({ lure: 2, inner: 0 });
  });
});

describe('a streamed file', () => {
  const url = (server: Listener) => `http://127.0.0.2:${server.port}/`;

  it('is cut off where the reader stops', async () => {
    let closed = () => {};
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await listen((_request, response) => {
      response.on('close', closed);
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', pump);
      pump();
    }, '127.0.0.2');
    const first = await clientFor(server).stream(url(server), { ...LIMITS, maxBytes: 1e9 }, async ({ body }) => {
      for await (const chunk of body) return chunk.length;
      return 0;
    });
    expect(first).toBeGreaterThan(0);
    await hungUp;
  });

  it('is bounded although its size is not announced', async () => {
    const server = await listen((_request, response) => {
      response.write(Buffer.alloc(600));
      response.end(Buffer.alloc(600));
    }, '127.0.0.2');
    const stream = clientFor(server).stream(url(server), LIMITS, ({ body }) => collect(body));
    await expect(stream).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('leaves the errors of its reader as they are, whatever code they carry', async () => {
    const server = await listen((_request, response) => response.end(FILE), '127.0.0.2');
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const stream = clientFor(server).stream(url(server), LIMITS, async () => {
      throw full;
    });
    await expect(stream).rejects.toBe(full);
  });

  it('tells its reader when the time is over', async () => {
    const server = await listen((_request, response) => response.write('x'), '127.0.0.2');
    const stream = clientFor(server).stream(url(server), { ...LIMITS, timeoutMs: 100 }, ({ body }) => collect(body));
    await expect(stream).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('is not passed off as whole when the connection broke', async () => {
    const server = await listenRaw((socket) => {
      socket.end('HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 0-9/10\r\ncontent-length: 10\r\n\r\nhalf');
    }, '127.0.0.2');
    await expect(ask(server, { start: 0, end: 9 })).rejects.toMatchObject({ reason: 'network' });
  });
});

describe('a file whose connections break off', () => {
  const VERSION = '"v1"';

  interface Cutting {
    etag?: string;
    /** Bytes of each connection before it breaks off; what is asked for beyond comes whole. */
    pieces: number[];
    /** From the second connection on there is this file. */
    later?: string;
  }

  /** Serves the file by its ranges, and notes what was asked for. */
  async function cutting({ etag, pieces, later = etag ?? '' }: Cutting) {
    const asked: (string | undefined)[] = [];
    const server = await listen((request, response) => {
      const piece = pieces[asked.length];
      const { range, 'if-range': version } = request.headers;
      asked.push(range);
      const known = asked.length === 1 ? etag : later;
      const isPart = range !== undefined && version === known;
      const from = isPart ? Number(/bytes=(\d+)-/.exec(range)?.[1]) : 0;
      const rest = FILE.subarray(from);
      response.writeHead(isPart ? 206 : 200, {
        'content-length': rest.length,
        ...(known === undefined || known === '' ? {} : { etag: known }),
        ...(isPart ? { 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` } : {}),
      });
      if (piece === undefined) response.end(rest);
      else if (piece === 0) response.flushHeaders();
      else response.write(rest.subarray(0, piece), () => response.destroy());
      if (piece === 0) response.destroy();
    }, '127.0.0.2');
    return { server, asked };
  }

  const whole = (server: Listener, options: Partial<StreamOptions> = { resumes: true }) =>
    clientFor(server).stream(`http://127.0.0.2:${server.port}/`, { ...LIMITS, ...options }, ({ body }) =>
      collect(body),
    );

  it('is asked for what is missing of the same version, and is whole', async () => {
    const { server, asked } = await cutting({ etag: VERSION, pieces: [3, 4] });
    expect(await whole(server)).toEqual(FILE);
    expect(asked).toEqual([undefined, 'bytes=3-9', 'bytes=7-9']);
  });

  it.each<[string, Cutting, number]>([
    ['names no version', { pieces: [3] }, 1],
    ['names one that is not byte by byte', { etag: 'W/"v1"', pieces: [3] }, 1],
    ['has another file by then', { etag: VERSION, later: '"v2"', pieces: [3] }, 2],
    ['brings no more of it', { etag: VERSION, pieces: [3, 0] }, 2],
  ])('is not made of two where its server %s', async (_, how, connections) => {
    const { server } = await cutting(how);
    await expect(whole(server)).rejects.toMatchObject({ reason: 'network' });
    expect(server.connects()).toBe(connections);
  });

  it('is asked for once where nobody wants it resumed', async () => {
    const { server } = await cutting({ etag: VERSION, pieces: [3] });
    await expect(whole(server, {})).rejects.toMatchObject({ reason: 'network' });
    expect(server.connects()).toBe(1);
  });
});
