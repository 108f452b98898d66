import { createAccount, createKey } from '@mediagate/identity';
import { type Attacker, startAttacker } from '../../../e2e/attack/attacker';
import type { Attack, Tally } from '../../../e2e/attack/attacker-process';
import type { Comparison, Outcome } from '../comparison';
import { type Figure, figure, type Goal } from '../measure/figure';
import { type Contender, interleave } from '../measure/interleave';
import type { Slice } from '../measure/slice';
import { median } from '../measure/statistics';
import { auditFaults, type Books, mustEqual, openBooks, PEPPER, WEBHOOK_SECRET } from '../product/books';
import { openLoopCaller } from '../product/open-loop-caller';
import { startApi } from '../product/services';

const LOAD = { perSecond: 100, connections: 16 };
const ATTACKING_CONNECTIONS = 10;

/** Large bodies of every kind, and floods of what is refused at once. */
const KINDS: readonly Attack['kind'][] = [
  'objects in an upload',
  'objects in an image',
  'a file in JSON',
  'files in a form',
  'numbers in a small body',
  'small submissions',
  'polls of nothing',
];

const goalOf = (kind: Attack['kind']): Goal => ({
  id: 'P15',
  measure: `another caller’s p99 beside: ${kind}`,
  against: 'the same caller alone',
  threshold: { atMost: 2 },
  unit: 'x',
});

/**
 * Measures what one account can do to another: one submits a hundred times a second by the clock, alone, and beside an account
 * without balance whose ten connections begin anew at each answer.
 */
export const neighbours: Comparison = {
  name: 'neighbours',
  goals: ['P15'],
  async run(stage): Promise<Outcome> {
    const books = await openBooks(stage, 'product');
    const api = await startApi(stage, books);
    const attacker = await startAttacker();
    stage.defer(() => attacker.stop());
    const caller = openLoopCaller(stage, { name: 'alone', ...api, books, ...LOAD });
    const attacks = await Promise.all(
      KINDS.map(async (kind) => attackContender(caller, { kind, attacker, port: portOf(api.url), books })),
    );
    const [alone = [], ...beside] = await interleave([caller, ...attacks], stage.pace);
    return {
      figures: attacks.map((attack, index) => besideFigure(attack, beside[index] ?? [], alone)),
      faults: [
        ...(await caller.faults()),
        ...mustEqual('errors that nothing caught', await api.counter('mediagate_http_stray_errors_total'), 0),
        ...(await auditFaults(books)),
      ],
    };
  },
};

interface AttackContender extends Contender {
  kind: Attack['kind'];
  /** How the attacker was answered, over all slices. */
  tally(): Tally;
}

interface AttackOptions {
  kind: Attack['kind'];
  attacker: Attacker;
  port: number;
  books: Books;
}

async function attackContender(
  caller: Contender,
  { kind, attacker, port, books }: AttackOptions,
): Promise<AttackContender> {
  const key = await createPoorKey(books, kind);
  const tally: Tally = {};
  return {
    name: kind,
    kind,
    tally: () => tally,
    async slice(ms) {
      const attack = { kind, port, key, connections: ATTACKING_CONNECTIONS, seconds: ms / 1000 };
      const [slice, answered] = await Promise.all([caller.slice(ms), attacker.run(attack)]);
      for (const [status, times] of Object.entries(answered)) tally[status] = (tally[status] ?? 0) + times;
      return slice;
    },
  };
}

/** An account without balance, with a key as it is made. */
async function createPoorKey({ database }: Books, name: string): Promise<string> {
  const { id: accountId } = await createAccount(database, { name, webhookSecret: WEBHOOK_SECRET });
  return (await createKey(database, PEPPER, { accountId })).key;
}

function besideFigure(attack: AttackContender, beside: readonly Slice[], alone: readonly Slice[]): Figure {
  const values = beside.map((slice, round) => p99Of(slice) / p99Of(alone[round]));
  const both = (measure: (slice: Slice) => number) =>
    [beside, alone].map((slices) => median(slices.map(measure)).toFixed(1)).join(' : ');
  return figure(goalOf(attack.kind), {
    values,
    slices: [],
    product: median(beside.map(p99Of)),
    reference: median(alone.map(p99Of)),
    limit: `p50 ${both(p50Of)} ms, API ${both(busyPercent)} % of a core; answered ${JSON.stringify(attack.tally())}`,
  });
}

const p50Of = (slice: Slice): number => slice.p50Ms ?? Number.NaN;
const p99Of = (slice: Slice | undefined): number => slice?.p99Ms ?? Number.NaN;
const busyPercent = ({ cpu, seconds }: Slice): number => ((cpu?.service ?? Number.NaN) / 1e6 / seconds) * 100;
const portOf = (url: string): number => Number(new URL(url).port);
