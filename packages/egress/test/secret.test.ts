import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { createGuardedClient, type DownloadOptions } from '../src';
import { closeListeners, type Listener, listen } from './listeners';

afterEach(closeListeners);

const HEADERS = { authorization: 'Bearer channel-key', 'x-goog-api-key': 'channel-key' };

interface Host extends Listener {
  origin: string;
  /** For each request, whether it showed the secret. */
  shown: boolean[];
}

async function host(answer: RequestListener): Promise<Host> {
  const shown: boolean[] = [];
  const listener = await listen((request, response) => {
    shown.push(JSON.stringify(request.rawHeaders).includes('channel-key'));
    answer(request, response);
  }, '127.0.0.2');
  return { ...listener, origin: `http://127.0.0.2:${listener.port}`, shown };
}

const serve: RequestListener = (_request, response) => response.end('file');
const redirect = (location: () => string): RequestListener => {
  return (_request, response) => response.writeHead(302, { location: location() }).end();
};

function fetchWith(hosts: readonly Host[], url: string, origin: string) {
  const allowPorts = hosts.map(({ port }) => port);
  const client = createGuardedClient({ allowPrivateCidrs: ['127.0.0.2/32'], allowPorts, allowOrigins: [] });
  const options: DownloadOptions = { maxBytes: 100, timeoutMs: 60_000, secret: { origin, headers: HEADERS } };
  return client.download(url, options);
}

describe('a secret of an origin', () => {
  it('is shown there, and after a redirect within it', async () => {
    const vendor = await host((request, response) =>
      request.url === '/file' ? serve(request, response) : redirect(() => '/file')(request, response),
    );
    await fetchWith([vendor], `${vendor.origin}/start`, vendor.origin);
    expect(vendor.shown).toEqual([true, true]);
  });

  it('is shown neither to another port, name or scheme', async () => {
    const other = await host(serve);
    const { origin, port } = other;
    const origins = [`http://127.0.0.2:${port + 1}`, `http://127.0.0.3:${port}`, `https://127.0.0.2:${port}`];
    for (const wanted of [...origins, `${origin}.evil`, '']) await fetchWith([other], `${origin}/`, wanted);
    expect(other.shown).toEqual([false, false, false, false, false]);
  });

  it('is not carried along a redirect to another origin, nor shown once that has sent us back', async () => {
    const stranger: Host = await host(redirect(() => `${vendor.origin}/private`));
    const vendor: Host = await host((request, response) =>
      request.url === '/private' ? serve(request, response) : redirect(() => stranger.origin)(request, response),
    );
    await fetchWith([stranger, vendor], `${vendor.origin}/start`, vendor.origin);
    expect({ stranger: stranger.shown, vendor: vendor.shown }).toEqual({ stranger: [false], vendor: [true, false] });
  });

  it('stands in no error', async () => {
    const vendor = await host((_request, response) => response.writeHead(401).end());
    const failed = await fetchWith([vendor], `${vendor.origin}/file`, vendor.origin).catch((error: Error) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(inspect(failed, { depth: 9 })).not.toContain('channel-key');
  });
});
