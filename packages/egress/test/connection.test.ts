import { Client } from 'undici';
import { createGuardedClient } from '../src';
import { pinnedConnector } from '../src/pinned-connector';
import { createUrlPolicy } from '../src/url-policy';
import { closeListeners, listenRaw } from './listeners';

afterEach(closeListeners);

describe('a connection', () => {
  it('that reached an address which is not allowed carries not one byte', async () => {
    let received = 0;
    let closed: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await listenRaw((socket) => {
      socket.on('data', (data) => {
        received += data.length;
      });
      socket.on('close', closed);
    });
    const policy = createUrlPolicy({ allowPrivateCidrs: [], allowPorts: [server.port], allowOrigins: [] });
    const target = policy.judge(`http://name.example:${server.port}/`);
    // As if the addresses had never been judged.
    const connect = pinnedConnector({
      target,
      addresses: ['127.0.0.1'],
      policy,
      signal: new AbortController().signal,
      onPeer: () => {},
    });
    const client = new Client(target.url.origin, { connect });
    await expect(client.request({ path: '/', method: 'GET' })).rejects.toMatchObject({ reason: 'blocked_address' });
    await client.destroy();
    await over;
    expect(received).toBe(0);
  });

  it.each([
    ['files.example', true],
    ['127.0.0.2', false],
  ])('over TLS to %s names the host: %p', async (host, named) => {
    let hello = '';
    const server = await listenRaw((socket) => {
      socket.once('data', (data) => {
        hello = data.toString('latin1');
        socket.destroy();
      });
    }, '127.0.0.2');
    const client = createGuardedClient({
      allowPrivateCidrs: ['127.0.0.2/32'],
      allowPorts: [server.port],
      allowOrigins: [],
      resolve: async () => ['127.0.0.2'],
    });
    const download = client.download(`https://${host}:${server.port}/`, { maxBytes: 10, timeoutMs: 60_000 });
    await expect(download).rejects.toMatchObject({ reason: 'network' });
    expect(hello.startsWith('\u0016\u0003')).toBe(true);
    expect(hello.includes(host)).toBe(named);
  });

  it('tries the next address of a name when the first does not answer', async () => {
    const server = await listenRaw((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    }, '127.0.0.2');
    const client = createGuardedClient({
      allowPrivateCidrs: ['127.0.0.0/24'],
      allowPorts: [server.port],
      allowOrigins: [],
      resolve: async () => ['127.0.0.3', '127.0.0.2'],
    });
    const file = await client.download(`http://two.example:${server.port}/`, { maxBytes: 10, timeoutMs: 60_000 });
    expect(file.bytes.toString()).toBe('ok');
  });

  it('that is still being made when the time is up is given up', async () => {
    let closed: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      closed = resolve;
    });
    // Accepts, and never completes the TLS handshake.
    const server = await listenRaw((socket) => socket.resume().on('close', closed), '127.0.0.2');
    const client = createGuardedClient({
      allowPrivateCidrs: ['127.0.0.2/32'],
      allowPorts: [server.port],
      allowOrigins: [],
    });
    const download = client.download(`https://127.0.0.2:${server.port}/`, { maxBytes: 10, timeoutMs: 100 });
    await expect(download).rejects.toMatchObject({ reason: 'timeout' });
    await over;
  });
});
