import { type ApiProcess, startApiProcess } from '../../services/api/test/api-process';
import { createCaller } from '../system/caller';
import { type Attacker, startAttacker } from './attacker';
import type { Attack } from './attacker-process';
import { type Asked, asUsual, describe as line, MEMORY_MAX_MIB, watch } from './watch';

const UNIT = 1_000_000_000n;
const SECONDS = 2;

let api: ApiProcess;
let attacker: Attacker;
let bystander: Asked;

beforeAll(async () => {
  api = await startApiProcess();
  attacker = await startAttacker();
  bystander = asUsual(createCaller(api.url, await api.createKey(1000n * UNIT)));
});
afterAll(async () => {
  attacker?.stop();
  await api?.stop();
});

const KINDS: Attack['kind'][] = [
  'objects in an upload',
  'objects in a text',
  'quotes in an image',
  'nesting in tool arguments',
];

/** The short form of `npm run attack`, which knows more kinds and goes on for longer. */
it.each(KINDS)(
  '%s, ten at once from an account without a penny, refuse nobody else and stay within memory',
  async (kind) => {
    const key = await api.createKey();
    const watched = await watch(api, bystander, () =>
      attacker.run({ kind, key, port: api.port, connections: 10, seconds: SECONDS }),
    );
    process.stdout.write(`${line(kind, watched)}\n`);
    expect(watched.latenciesMs.length).toBeGreaterThan(0);
    expect(watched.refused).toEqual({});
    expect(watched.peakMib).toBeLessThan(MEMORY_MAX_MIB);
  },
);
