import { createGuardedClient, type PostOptions } from '../src';
import { closeListeners, type Listener, listen, listenRaw } from './listeners';

afterEach(closeListeners);

const CALL: PostOptions = {
  headers: { 'content-type': 'application/json' },
  body: '{"id":"task_1"}',
  timeoutMs: 60_000,
  maxResponseBytes: 4_096,
};

function post(server: Listener, call: Partial<PostOptions> = {}) {
  const client = createGuardedClient({
    allowPrivateCidrs: ['127.0.0.2/32'],
    allowPorts: [server.port],
    allowOrigins: [],
  });
  return client.post(`http://127.0.0.2:${server.port}/callback`, { ...CALL, ...call });
}

describe('post', () => {
  it('sends the exact bytes once and tells status, beginning of the answer and peer', async () => {
    const seen: unknown[] = [];
    const server = await listen((request, response) => {
      request.setEncoding('utf8');
      request.on('data', (body: string) => {
        seen.push({ method: request.method, url: request.url, type: request.headers['content-type'], body });
        response.writeHead(202).end('thanks');
      });
    }, '127.0.0.2');
    await expect(post(server)).resolves.toEqual({ status: 202, excerpt: 'thanks', peerAddress: '127.0.0.2' });
    expect(seen).toEqual([{ method: 'POST', url: '/callback', type: 'application/json', body: CALL.body }]);
  });

  it.each([200, 204, 301, 302, 303, 307, 308, 400, 404, 429, 500, 503])('hands on %i as it is', async (status) => {
    const server: Listener = await listen((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.2:${server.port}/elsewhere` }).end();
    }, '127.0.0.2');
    await expect(post(server)).resolves.toMatchObject({ status });
    expect(server.connects()).toBe(1);
  });

  it('is decided by the status line when the body has no end, and reads no more of it than allowed', async () => {
    let ended: (bytes: number) => void = () => {};
    const cut = new Promise<number>((resolve) => {
      ended = resolve;
    });
    const server = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pump = () => {
        while (!socket.destroyed && socket.write('x'.repeat(65_536)));
      };
      socket.on('drain', pump).on('close', () => ended(socket.bytesWritten));
      pump();
    }, '127.0.0.2');
    await expect(post(server)).resolves.toMatchObject({ status: 200, excerpt: 'x'.repeat(512) });
    // Not by the limit of time, a second, in which hundreds of megabytes come, but by that of bytes; sockets hold some more.
    expect(await cut).toBeLessThan(32_000_000);
  });

  it.each([
    ['an early close', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'half'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nold', 'old'],
    ['a reset in a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf', 'half'],
    ['an interim answer', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', 'ok'],
  ])('is decided by the status line after %s', async (_case, answer, excerpt) => {
    const server = await listenRaw((socket) => {
      socket.once('data', () => socket.end(answer));
    }, '127.0.0.2');
    await expect(post(server)).resolves.toMatchObject({ status: 200, excerpt });
  });

  it('waits no longer than a second for a body that drips', async () => {
    const server = await listenRaw((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nslow'));
    }, '127.0.0.2');
    await expect(post(server, { timeoutMs: 3_600_000 })).resolves.toMatchObject({ status: 200, excerpt: 'slow' });
  });

  it('fails by the deadline when no status line comes', async () => {
    const server = await listenRaw((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 2'));
    }, '127.0.0.2');
    await expect(post(server, { timeoutMs: 100 })).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('fails when the connection ends before a status line', async () => {
    const server = await listenRaw((socket) => {
      socket.once('data', () => socket.destroy());
    }, '127.0.0.2');
    await expect(post(server)).rejects.toMatchObject({ reason: 'network' });
    expect(server.connects()).toBe(1);
  });

  it('cuts the excerpt at 512 bytes between characters and keeps it printable', async () => {
    const server = await listen(
      (_request, response) => response.end(`\u0000\u001b[31m${'é'.repeat(600)}`),
      '127.0.0.2',
    );
    const { excerpt } = await post(server);
    expect(excerpt).toMatch(/^ {2}\[31mé+$/);
    expect(Buffer.byteLength(excerpt)).toBeGreaterThan(509);
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(512);
  });

  it('keeps the excerpt within 512 bytes when the answer is not text', async () => {
    const server = await listen((_request, response) => response.end(Buffer.alloc(4_096, 0xff)), '127.0.0.2');
    const { excerpt } = await post(server);
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(512);
  });

  it('lets a misuse of its own pass as the bug it is', async () => {
    const server = await listen((_request, response) => response.end(), '127.0.0.2');
    await expect(post(server, { headers: { 'x-bad': 'a\r\nb' } })).rejects.not.toMatchObject({ name: 'EgressError' });
  });
});
