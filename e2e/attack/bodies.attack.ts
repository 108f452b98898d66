import { setTimeout as delay } from 'node:timers/promises';
import { type ApiProcess, startApiProcess } from '../../services/api/test/api-process';
import { type Caller, createCaller } from '../system/caller';
import { type Attacker, startAttacker } from './attacker';
import { ATTACK_KINDS, type Attack } from './attacker-process';
import { describe as line, type Watched, watch } from './watch';

const UNIT = 1_000_000_000n;
const SECONDS = 8;
/** Half of what the chart gives a process of the API. */
const MEMORY_MAX_MIB = 512;
/** Thousands of requests a second that are refused at once leave more to collect for a moment than that (docs/attacks.md). */
const UNBOUNDED: ReadonlySet<string> = new Set(['numbers in a small body']);
const CONNECTIONS = 10;

let api: ApiProcess;
let attacker: Attacker | undefined;
let bystander: Caller;
let quiet: Watched | undefined;

// A process of its own for each attack: what one has left in memory is not the next one's.
beforeEach(async () => {
  api = await startApiProcess({}, { built: true });
  attacker ??= await startAttacker();
  bystander = createCaller(api.url, await api.createKey(100_000n * UNIT));
  // What is slow the first time is slow for everybody.
  await watch(api, bystander, () => delay(3000));
  if (quiet !== undefined) return;
  quiet = await watch(api, bystander, () => delay(SECONDS * 1000));
  process.stdout.write(`${line('nobody attacks', quiet)}\n`);
}, 120_000);
afterEach(async () => {
  await api?.stop();
}, 120_000);
afterAll(() => attacker?.stop());

const attackOf = (kind: Attack['kind'], key: string): Attack => ({
  kind,
  key,
  connections: CONNECTIONS,
  seconds: SECONDS,
  port: api.port,
});

describe('one account, without a penny, on ten connections', () => {
  it.each(ATTACK_KINDS)(
    '%s: others are served',
    async (kind) => {
      const key = await api.createKey(0n, 'usual');
      let tally = {};
      const watched = await watch(api, bystander, async () => {
        tally = (await attacker?.run(attackOf(kind, key))) ?? {};
      });
      process.stdout.write(`${line(kind, watched)}  attacker ${JSON.stringify(tally)}\n`);
      expect(watched.refused).toEqual({});
      if (!UNBOUNDED.has(kind)) expect(watched.peakMib).toBeLessThan(MEMORY_MAX_MIB);
      expect(await api.metrics()).toMatch(/^mediagate_http_stray_errors_total 0$/m);
    },
    120_000,
  );
});
