import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiProcess, startApiProcess } from '../../services/api/test/api-process';
import { createCaller } from '../system/caller';

const UNIT = 1_000_000_000n;
const PATH = '/v1beta/models/text-2.5-flash:generateContent';
const TEXTS = 300;
const AT_ONCE = 10;
/** An estimate takes four bytes for a token. */
const TOKENS = 10_000;
const PRICE_OF_A_TOKEN = 300e-9;
/** The calls that are waited for end after half a minute. */
const SETTLED_WITHIN_MS = 60_000;

/** A vendor who takes every text, charges for it from then on, and takes his time. */
interface SlowVendor {
  server: Server;
  asked: number;
  /** Resolves once he has been asked for the text of that name. */
  askedFor(name: string): Promise<void>;
}

let vendor: SlowVendor;
let api: ApiProcess;
beforeAll(async () => {
  vendor = await startVendor();
  const { port } = vendor.server.address() as AddressInfo;
  api = await startApiProcess({ SIMULATOR_URL: `http://127.0.0.1:${port}` }, { built: true });
}, 60_000);
afterAll(async () => {
  await api?.stop();
  vendor.server.closeAllConnections();
  vendor.server.close();
});

it('an account that hangs up on 300 long texts pays for each of them: the vendor was asked', async () => {
  const key = await api.createKey(100n * UNIT);
  const caller = createCaller(api.url, key);
  await Promise.all(Array.from({ length: AT_ONCE }, (_, of) => hangUpAll(key, of)));
  expect(vendor.asked).toBe(TEXTS);
  const owed = vendor.asked * TOKENS * PRICE_OF_A_TOKEN;
  const limit = Date.now() + SETTLED_WITHIN_MS;
  const used = async () => ((await caller.get('/v1/user/balance')).body as { used_balance: number }).used_balance;
  while ((await used()) < owed - PRICE_OF_A_TOKEN) {
    if (Date.now() > limit) break;
    await delay(500);
  }
  const paid = await used();
  process.stdout.write(`asked ${vendor.asked} of ${TEXTS}  owed ${owed.toFixed(6)}  paid ${paid.toFixed(6)}\n`);
  expect(paid).toBeGreaterThanOrEqual(owed - PRICE_OF_A_TOKEN);
  expect(paid).toBeLessThanOrEqual(TEXTS * TOKENS * PRICE_OF_A_TOKEN + PRICE_OF_A_TOKEN);
}, 180_000);

async function hangUpAll(key: string, of: number): Promise<void> {
  for (let count = 0; count < TEXTS / AT_ONCE; count += 1) await hangUp(key, `<${of}-${count}>`);
}

/** Hangs up as soon as the vendor was asked. */
async function hangUp(key: string, name: string): Promise<void> {
  const sent = request(api.url + PATH, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  sent.on('error', () => undefined).on('response', (response) => response.on('error', () => undefined).resume());
  const closed = new Promise<void>((resolve) => sent.once('close', () => resolve()));
  const called = vendor.askedFor(name);
  sent.end(JSON.stringify({ contents: [{ role: 'user', parts: [{ text: name.padEnd(4 * TOKENS, 'x') }] }] }));
  await Promise.race([called, closed]);
  sent.destroy();
  await closed;
}

async function startVendor(): Promise<SlowVendor> {
  const waiting = new Map<string, () => void>();
  const started: SlowVendor = {
    asked: 0,
    askedFor: (name) => new Promise((resolve) => waiting.set(name, resolve)),
    server: createServer(async (call) => {
      const [name = ''] = /<\d+-\d+>/.exec(await text(call)) ?? [];
      started.asked += 1;
      waiting.get(name)?.();
    }),
  };
  started.server.listen(0, '127.0.0.1');
  await once(started.server, 'listening');
  return started;
}
