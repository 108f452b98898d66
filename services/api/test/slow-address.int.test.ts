import { type ChildProcess, spawn } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { connect, getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { join } from 'node:path';
import { createGuardedClient } from '@mediagate/egress';
import { useEachAddress } from '@mediagate/host';
import { until } from '@mediagate/testkit';
import { createHttpClient } from '@mediagate/upstreams';

/** The first takes its time, and nobody is behind the second. */
const ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const HOST = 'far.example';
const NO_LIMIT = { allowPrivateCidrs: [], allowPorts: [], allowOrigins: [] };

/** As long as a busy machine needs. A client with a time of its own, or Node's 250 ms, gives up before the first packet is repeated. */
const PATIENT_MS = 60_000;

let listener: ChildProcess;
let port: number;
let addressMs: number;

beforeAll(async () => {
  useEachAddress();
  addressMs = getDefaultAutoSelectFamilyAttemptTimeout();
  setDefaultAutoSelectFamilyAttemptTimeout(PATIENT_MS);
  jest.spyOn(dns, 'lookup').mockImplementation(lookUp as typeof dns.lookup);
  listener = spawn(process.execPath, [join(__dirname, 'slow-listener.cjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  port = Number(((await once(listener.stdout as NodeJS.ReadableStream, 'data')) as [Buffer])[0]);
});
afterAll(async () => {
  setDefaultAutoSelectFamilyAttemptTimeout(addressMs);
  const ended = once(listener, 'exit');
  listener.kill('SIGKILL');
  await ended;
});

function lookUp(_host: string, options: dns.LookupOptions, done: (...found: unknown[]) => void): void {
  process.nextTick(() => (options.all ? done(null, ADDRESSES) : done(null, '127.0.0.1', 4)));
}

/** Connections to the listener whose first packet has gone out and was not answered. */
function unanswered(): number {
  const SYN_SENT = '02';
  const peer = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return rows.filter((row) => row.trim().split(/\s+/)[2]?.endsWith(peer) && row.trim().split(/\s+/)[3] === SYN_SENT)
    .length;
}

it('a process gives each address long enough for a packet to be repeated, which is after a second', () => {
  expect(addressMs).toBeGreaterThan(1000);
});

it('a name is reached at an address that takes a second, though another one is dead, by every client that calls outwards', async () => {
  const origin = `http://${HOST}:${port}`;
  const signal = AbortSignal.timeout(60_000);
  const resolve = async () => ADDRESSES.map(({ address }) => address);
  const guarded = createGuardedClient({ ...NO_LIMIT, allowOrigins: [origin], resolve });
  const vendors = createHttpClient();
  const fillers = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  await Promise.all(fillers.map((filler) => once(filler, 'connect')));

  const limits = { timeoutMs: 60_000, maxResponseBytes: 100 };
  const callback = guarded.post(origin, { ...limits, headers: {}, body: '{}' });
  const media = guarded.download(origin, { timeoutMs: 60_000, maxBytes: 100 });
  const vendor = vendors.send({ ...limits, method: 'GET', url: origin, headers: {}, signal });
  const signIn = fetch(origin, { signal });
  const storage = once(http.get(origin, { agent: new http.Agent() }), 'response');
  const answers = Promise.all([callback, media, vendor, signIn, storage]);
  answers.catch(() => undefined);
  await until(() => unanswered() >= 5, 'all five wait');
  listener.stdin?.write('.');

  const [posted, downloaded, answered, fetched, [stored]] = await answers;
  expect([posted.status, downloaded.bytes.toString(), fetched.status, stored.statusCode]).toEqual([
    200,
    '{}',
    200,
    200,
  ]);
  expect(answered).toMatchObject({ kind: 'answer', status: 200 });
  for (const filler of fillers) filler.destroy();
  stored.destroy();
  await vendors.close();
});
