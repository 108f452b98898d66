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
/** Whose memory is bounded by that; of files the process holds more for a while than it counts (docs/attacks.md). */
const BOUNDED: ReadonlySet<string> = new Set(
  ATTACK_KINDS.filter((kind) => /^(?:objects|numbers|quotes|fields)/.test(kind)),
);
const CONNECTIONS = 10;

let api: ApiProcess;
let attacker: Attacker;
let bystander: Caller;
let quiet: Watched;

beforeAll(async () => {
  api = await startApiProcess();
  attacker = await startAttacker();
  bystander = createCaller(api.url, await api.createKey(100_000n * UNIT));
  // What is slow the first time is slow for everybody.
  await watch(api, bystander, () => delay(3000));
  quiet = await watch(api, bystander, () => delay(SECONDS * 1000));
  process.stdout.write(`${line('nobody attacks', quiet)}\n`);
}, 120_000);
afterAll(async () => {
  attacker?.stop();
  await api?.stop();
}, 120_000);

const attackOf = (kind: Attack['kind'], key: string): Attack => ({
  ...{ kind, key, connections: CONNECTIONS, seconds: SECONDS },
  port: api.port,
});

describe('one account, without a penny, on ten connections', () => {
  it.each(ATTACK_KINDS)(
    '%s: others are served',
    async (kind) => {
      const key = await api.createKey();
      let tally = {};
      const watched = await watch(api, bystander, async () => {
        tally = await attacker.run(attackOf(kind, key));
      });
      process.stdout.write(`${line(kind, watched)}  attacker ${JSON.stringify(tally)}\n`);
      expect(watched.refused).toEqual({});
      if (BOUNDED.has(kind)) expect(watched.peakMib).toBeLessThan(MEMORY_MAX_MIB);
      expect(await api.metrics()).toMatch(/^mediagate_http_stray_errors_total 0$/m);
    },
    120_000,
  );
});
