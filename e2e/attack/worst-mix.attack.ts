import { setTimeout as delay } from 'node:timers/promises';
import { type ApiProcess, startApiProcess } from '../../services/api/test/api-process';
import { createCaller } from '../system/caller';
import { type Attacker, startAttacker } from './attacker';
import type { Attack } from './attacker-process';
import { ATTACK_KINDS, effortOf } from './bodies';
import { type Asked, asUsual, describe as line, MEMORY_MAX_MIB, type Watched, watch } from './watch';

const UNIT = 1_000_000_000n;
const ROW_SECONDS = 4;
const TOGETHER_SECONDS = 20;
/** Three quarters of the container, for the process and those that take files apart: up to six at once, by accounts of their own. */
const ALL_MAX_MIB = 768;

let api: ApiProcess;
let attacker: Attacker;
let bystander: Asked;

beforeAll(async () => {
  api = await startApiProcess({}, { built: true });
  attacker = await startAttacker();
  bystander = asUsual(createCaller(api.url, await api.createKey(100_000n * UNIT)));
  await watch(api, bystander, () => delay(3000));
}, 120_000);
afterAll(async () => {
  attacker?.stop();
  await api?.stop();
}, 120_000);

/** Each by an account of its own. */
async function attacksFor(seconds: number): Promise<Attack[]> {
  const attackOf = async (kind: Attack['kind']) => {
    const key = await api.createKey(0n, 'usual');
    return { kind, key, port: api.port, connections: effortOf(kind).connections, seconds };
  };
  return Promise.all(ATTACK_KINDS.map(attackOf));
}

function expectWithin({ processMib, peakMib }: Watched): void {
  expect(processMib).toBeLessThan(MEMORY_MAX_MIB);
  expect(peakMib).toBeLessThan(ALL_MAX_MIB);
}

/** One process: what an attack leaves in memory is there when the next one comes. */
it('all attacks one after the other, then all at once: the process stays below half of its memory', async () => {
  for (const attack of await attacksFor(ROW_SECONDS)) {
    const watched = await watch(api, bystander, () => attacker.run(attack));
    process.stdout.write(`${line(attack.kind, watched)}\n`);
    expect([attack.kind, watched.refused]).toEqual([attack.kind, {}]);
    expectWithin(watched);
  }
  const attacks = await attacksFor(TOGETHER_SECONDS);
  const watched = await watch(api, bystander, () => attacker.runTogether(attacks));
  process.stdout.write(`${line('all at once', watched)}\n`);
  expectWithin(watched);
  expect(await api.metrics()).toMatch(/^mediagate_http_stray_errors_total 0$/m);
}, 600_000);
