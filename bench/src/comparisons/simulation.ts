import type { Comparison, Outcome } from '../comparison';
import { type Figure, figure, type Goal } from '../measure/figure';
import { auditFaults, openBooks } from '../product/books';
import {
  DAY,
  type Flood,
  flood,
  fullChannelFrees,
  type Place,
  type Recovery,
  type Scale,
  shares,
  throttled,
} from '../simulation/scenarios';
import type { Stage } from '../stage';

const ACCOUNTS = 101;
const QUICK: Scale = { replicas: 10, perSecond: 12, slots: 48, outageMs: 20_000, watchedMs: 20_000, phaseMs: 20_000 };

const goal = (measure: string, threshold: Goal['threshold'], unit: Goal['unit']): Goal => ({
  id: 'P21',
  measure,
  threshold,
  unit,
});

const WAIT = goal('p99 wait of a hundred accounts at ten million tasks a day, beside a flood', { atMost: 5000 }, 'ms');
const JAIN = goal('Jain’s index of what those accounts got beside the flood', { atLeast: 0.99 }, 'x');
const SHARES = goal(
  'Jain’s index of ten accounts with backlogs that differ threefold, at a full channel',
  { atLeast: 0.99 },
  'x',
);
const ORDER = goal('tasks of its own account that overtook one, at most, there', { atMost: 500 }, 'rows');
const CALLS = goal('calls of a vendor that throttles everything for a minute', { atMost: 60 }, 'calls');
const THROTTLED = goal('from the end of that to nine tenths of the full rate', { atMost: 15_000 }, 'ms');
const FREED = goal('from the end of calls that hung in all slots to nine tenths of the slots', { atMost: 5000 }, 'ms');

/** A hundred workers by a virtual clock: dispatcher, slots, paces and breakers are the product’s, their SQL runs on PostgreSQL. */
export const simulation: Comparison = {
  name: 'simulation',
  goals: ['P21'],
  async run(stage): Promise<Outcome> {
    const scale = stage.quick ? QUICK : DAY;
    const faults: string[] = [];
    async function simulate<Result>(name: string, run: (place: Place, of: Scale) => Promise<Result>): Promise<Result> {
      const { place, audit } = await openPlace(stage, name);
      const result = await run(place, scale);
      faults.push(...(await audit()));
      return result;
    }
    const waits = await simulate('flood', flood);
    const shared = await simulate('shares', shares);
    const recovery = await simulate('throttled', throttled);
    const freed = await simulate('freed', fullChannelFrees);
    const limit = `${shared.begunPerSecond.toFixed(0)} begun a second`;
    return {
      figures: [
        one(WAIT, waits.besideP99Ms, describeFlood(waits)),
        one(JAIN, waits.jain, ''),
        one(SHARES, shared.jain, limit),
        one(ORDER, shared.overtaken, limit),
        one(CALLS, recovery.calls, ''),
        one(THROTTLED, recovery.recoveryMs, describeRecovery(recovery)),
        one(FREED, freed.recoveryMs, ''),
      ],
      faults,
    };
  },
};

async function openPlace(stage: Stage, name: string): Promise<{ place: Place; audit(): Promise<string[]> }> {
  const books = await openBooks(stage, name, { accounts: ACCOUNTS });
  const { url: databaseUrl, accounts } = books;
  return { place: { databaseUrl, accounts }, audit: () => auditFaults(books) };
}

function one(of: Goal, value: number, limit: string): Figure {
  return figure(of, { values: [value], slices: [], limit });
}

function describeFlood({ aloneP99Ms, overtaken, statements, tasks }: Flood): string {
  return `${aloneP99Ms} ms without; ${tasks} tasks, ${statements.toFixed(1)} statements each, ${overtaken} overtook one at most`;
}

function describeRecovery({ refusedShare, inSeconds }: Recovery): string {
  return `${(refusedShare * 100).toFixed(1)} calls refused then for a hundred taken; begun second by second ${inSeconds.join(' ')}`;
}
