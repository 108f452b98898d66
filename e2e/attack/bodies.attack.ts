import { setTimeout as delay } from 'node:timers/promises';
import { type ApiProcess, startApiProcess } from '../../services/api/test/api-process';
import { createCaller } from '../system/caller';
import { type Attacker, type Reader, startAttacker, startReader } from './attacker';
import type { Attack, Tally } from './attacker-process';
import { ATTACK_KINDS, type AttackKind, effortOf, isTakenApart, isWhole } from './bodies';
import { SOUND } from './small-media';
import {
  type Asked,
  asUsual,
  describe as line,
  MEMORY_MAX_MIB,
  p99Of,
  together,
  uploadsOf,
  type Watched,
  watch,
} from './watch';

const UNIT = 1_000_000_000n;
/** An odd number, of which the one in the middle counts. */
const ROUNDS = 5;
/** Somebody else's p99 under attack, over the same without. Twice is wanted; other work of the machine makes more of it. */
const RATIO_MAX = 4;

let api: ApiProcess;
let attacker: Attacker;
let reader: Reader;
let key: string;

beforeAll(async () => {
  attacker = await startAttacker();
  reader = await startReader();
}, 120_000);
// A process of its own for each attack: what one has left in memory is not the next one's.
beforeEach(async () => {
  api = await startApiProcess({}, { built: true });
  key = await api.createKey(100_000n * UNIT);
}, 120_000);
afterEach(async () => {
  await api?.stop();
}, 120_000);
afterAll(() => {
  attacker?.stop();
  reader?.stop();
});

function bystanderOf(kind: AttackKind): Asked {
  return isTakenApart(kind) ? uploadsOf(api.url, key, SOUND) : asUsual(createCaller(api.url, key));
}

interface Compared {
  alone: Watched[];
  beside: Watched[];
  tally: Tally;
}

/**
 * In turns, so that what disturbs the machine for a while disturbs both. Sending and reading whole bodies takes much of a small machine
 * by itself, so these are compared with the same bytes, sent to a server that only reads them.
 */
async function watchAloneAndBeside(attack: Attack): Promise<Compared> {
  const [alone, beside]: [Watched[], Watched[]] = [[], []];
  const tally: Tally = {};
  const bystander = bystanderOf(attack.kind);
  // Whatever runs for the first time is slow for everybody.
  await watch(api, bystander, () => delay(3000));
  const isRead = isWhole(attack.kind);
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = async () => {
      if (!isRead) return delay(attack.seconds * 1000);
      const { cut = 0 } = await attacker.run({ ...attack, port: reader.port });
      // The last body, when its time is over.
      expect(cut).toBeLessThanOrEqual(attack.connections);
    };
    alone.push(await watch(api, bystander, without));
    beside.push(
      await watch(api, bystander, async () => {
        const answered = await attacker.run(attack);
        for (const [status, times] of Object.entries(answered)) tally[status] = (tally[status] ?? 0) + times;
      }),
    );
  }
  return { alone, beside, tally };
}

/** Round by round, of which the median counts: what else the machine does for a moment shows in one of them alone. */
function p99Ratio({ alone, beside }: Compared): number {
  const ratios = beside.map((watched, round) => p99Of(watched) / p99Of(alone[round] as Watched));
  return ratios.sort((left, right) => left - right)[(ROUNDS - 1) / 2] as number;
}

describe('one account, without a penny', () => {
  it.each(ATTACK_KINDS)(
    '%s: others are served, nearly as fast as alone',
    async (kind) => {
      // A key's own limit of requests would end this attack in its first round.
      const attackerKey = await api.createKey(0n, isTakenApart(kind) ? undefined : 'usual');
      const attack: Attack = { kind, key: attackerKey, port: api.port, ...effortOf(kind) };
      const compared = await watchAloneAndBeside(attack);
      const [ratio, alone, beside] = [p99Ratio(compared), together(compared.alone), together(compared.beside)];
      const lines = [line(isWhole(kind) ? '  the same bytes, only read' : '  alone', alone), line(kind, beside)];
      const figures = `attacker ${JSON.stringify(compared.tally)}  p99 x ${ratio.toFixed(1)}`;
      process.stdout.write(`${lines.join('\n')}  ${figures}\n`);
      expect(beside.refused).toEqual({});
      expect(ratio).toBeLessThan(RATIO_MAX);
      expect(beside.peakMib).toBeLessThan(MEMORY_MAX_MIB);
      expect(await api.metrics()).toMatch(/^mediagate_http_stray_errors_total 0$/m);
    },
    120_000,
  );
});
