import diagnostics from 'node:diagnostics_channel';
import { createGuardedClient, type Resolve } from '../src';
import { closeListeners, type Listener, listen } from './listeners';

/** Hosts that lead, in one spelling or another, to somewhere that is not the public internet. `P` is the listener's port. */
const SPELLINGS = [
  'http://127.0.0.1:P/',
  'http://127.0.0.1.:P/',
  'http://127.1:P/',
  'http://127.0.1:P/',
  'http://127.255.255.254:P/',
  'http://2130706433:P/',
  'http://017700000001:P/',
  'http://0177.0.0.1:P/',
  'http://0177.0.0.01:P/',
  'http://0x7f000001:P/',
  'http://0x7F.0.0.1:P/',
  'http://0x7f.1:P/',
  'http://0x7f.0x0.0x0.0x1:P/',
  'http://%31%32%37.0.0.1:P/',
  'http://0:P/',
  'http://0.0.0.0:P/',
  'http://00000:P/',
  'http:127.0.0.1:P/',
  'http:/127.0.0.1:P/',
  'http:///127.0.0.1:P/',
  'http:\\\\127.0.0.1:P\\',
  'HTTP://127.0.0.1:P/',
  'http://１２７.０.０.１:P/',
  'http://①②⑦.⓪.⓪.①:P/',
  'http://127。0。0。1:P/',
  'http://127．0．0．1:P/',
  'http://127｡0｡0｡1:P/',
  'http://[::1]:P/',
  'http://[0:0:0:0:0:0:0:1]:P/',
  'http://[0000::0001]:P/',
  'http://[::]:P/',
  'http://[::ffff:127.0.0.1]:P/',
  'http://[::ffff:7f00:1]:P/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:P/',
  'http://[::FFFF:127.0.0.1]:P/',
  'http://[::127.0.0.1]:P/',
  'http://[::7f00:1]:P/',
  'http://[::ffff:0:7f00:1]:P/',
  'http://[64:ff9b::7f00:1]:P/',
  'http://[64:ff9b::127.0.0.1]:P/',
  'http://[64:ff9b:1::7f00:1]:P/',
  'http://[2002:7f00:1::]:P/',
  'http://[2002:a9fe:a9fe::1]:P/',
  'http://[2001:0:7f00:1::]:P/',
  'http://[2001:0:0:0:0:0:80ff:fffe]:P/',
  'http://[2606:4700::5efe:7f00:1]:P/',
  'http://[fe80::1]:P/',
  'http://[fe80::1%25lo]:P/',
  'http://[fe80::1%lo]:P/',
  'http://[fec0::1]:P/',
  'http://[fc00::1]:P/',
  'http://[fd00:ec2::254]:P/',
  'http://[ff02::1]:P/',
  'http://[4000::1]:P/',
  'http://[::1:P/',
  'http://localhost:P/',
  'http://LOCALHOST:P/',
  'http://LocalHost.:P/',
  'http://localhost..:P/',
  'http://%6c%6fcalhost:P/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:P/',
  'http://lo\u00adcalhost:P/',
  'http://any.localhost:P/',
  'http://a.b.localhost.:P/',
  'http://8.8.8.8@127.0.0.1:P/',
  'http://example.com:80@127.0.0.1:P/',
  'http://example.com%40127.0.0.1:P/',
  'http://127.0.0.1:P\\@example.com/',
  'http://127.0.0.1:P#@example.com/',
  'http://127.0.0.1:P?@example.com/',
  'http://127.0.0.1\t:P/',
  'http://127.0.0.1\r\n:P/',
  ' http://127.0.0.1:P/',
  'http://10.0.0.1:P/',
  'http://10.1:P/',
  'http://100.64.0.1:P/',
  'http://100.100.100.200:P/',
  'http://168.63.129.16:P/',
  'http://169.254.169.254:P/latest/meta-data/',
  'http://2852039166:P/',
  'http://0xa9fea9fe:P/',
  'http://172.16.0.1:P/',
  'http://192.0.0.192:P/',
  'http://192.168.0.1:P/',
  'http://198.18.0.1:P/',
  'http://224.0.0.1:P/',
  'http://255.255.255.255:P/',
  'https://127.0.0.1:P/',
  'https://[::1]:P/',
  'ftp://127.0.0.1:P/',
];

let listener: Listener;
let sockets = 0;
const count = () => {
  sockets += 1;
};

beforeAll(async () => {
  listener = await listen((_request, response) => response.end('reached'));
  await listen((_request, response) => response.end('reached'), '::1', listener.port);
  diagnostics.subscribe('net.client.socket', count);
});

afterAll(async () => {
  diagnostics.unsubscribe('net.client.socket', count);
  await closeListeners();
});

function client(resolve: Resolve) {
  return createGuardedClient({ allowPrivateCidrs: [], allowPorts: [listener.port], allowOrigins: [], resolve });
}

const noName: Resolve = async () => {
  throw new Error('no name service here');
};

describe('no socket is opened', () => {
  it('counts a socket when there is one', async () => {
    const allowed = createGuardedClient({
      allowPrivateCidrs: ['127.0.0.0/8'],
      allowPorts: [listener.port],
      allowOrigins: [],
    });
    await allowed.download(`http://127.0.0.1:${listener.port}/`, { maxBytes: 100, timeoutMs: 60_000 });
    expect({ sockets, connects: listener.connects() }).toEqual({ sockets: 1, connects: 1 });
  });

  describe.each(SPELLINGS)('to %j', (spelling) => {
    it.each(['download', 'stream', 'post'] as const)('by %s', async (method) => {
      const before = { sockets, connects: listener.connects() };
      const url = spelling.replace(':P', `:${listener.port}`);
      const limits = { timeoutMs: 60_000, maxBytes: 100, maxResponseBytes: 100, headers: {}, body: '' };
      const failure = await client(noName)
        [method](url, limits, async () => 'taken')
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({
        name: 'EgressError',
        reason: expect.stringMatching(/^(bad_url|blocked_address)$/),
      });
      expect({ sockets, connects: listener.connects() }).toEqual(before);
    });
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['10.0.0.1', '127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['8.8.8.8', '::1']],
    [['2606:4700:4700::1111', '64:ff9b::7f00:1']],
    [['8.8.8.8', 'not an address']],
    [['169.254.169.254']],
  ])('to a name with the addresses %j', async (addresses) => {
    const before = { sockets, connects: listener.connects() };
    const download = client(async () => addresses).download(`http://name.example:${listener.port}/`, {
      maxBytes: 100,
      timeoutMs: 60_000,
    });
    await expect(download).rejects.toMatchObject({ reason: 'blocked_address' });
    expect({ sockets, connects: listener.connects() }).toEqual(before);
  });
});
