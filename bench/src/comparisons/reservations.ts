import type { ReservationOrder, ReservationReport } from '../../instruments/reservation-loop';
import type { Comparison, Outcome } from '../comparison';
import { type Goal, rateRatio } from '../measure/figure';
import { type Contender, interleave } from '../measure/interleave';
import { metered } from '../measure/slice';
import { auditFaults, type Books, mustEqual, openBooks } from '../product/books';
import { keyFacts } from '../product/submission-load';
import type { Stage } from '../stage';

const CALLERS = 64;

const GOAL: Goal = {
  id: 'P3',
  measure: 'reservations, one hot account',
  against: 'one statement each, 8 connections',
  threshold: { atLeast: 10 },
  unit: 'x',
};

/** Booking alone, without HTTP: 64 callers by the product's submitter, and by one commit for each. */
export const reservations: Comparison = {
  name: 'reservations',
  goals: ['P3'],
  async run(stage): Promise<Outcome> {
    const grouped = await openLoop(stage, 'grouped', 10);
    const single = await openLoop(stage, 'single', 8);
    const [product = [], reference = []] = await interleave([grouped, single], stage.pace);
    return {
      figures: [rateRatio(GOAL, product, reference)],
      faults: [...(await grouped.faults()), ...(await single.faults())],
    };
  },
};

interface Loop extends Contender {
  faults(): Promise<string[]>;
}

async function openLoop(stage: Stage, how: 'grouped' | 'single', poolSize: number): Promise<Loop> {
  const books: Books = await openBooks(stage, how);
  const program = await stage.startProgram('instruments/reservation-loop.ts', {
    DATABASE_URL: books.url,
    HOW: how,
    POOL_SIZE: String(poolSize),
    ...keyFacts(books),
  });
  const meters = { service: [program], postgres: stage.servers.postgres, redis: stage.servers.redis };
  let reserved = 0;
  let failures = 0;
  return {
    name: how,
    slice: (ms) =>
      metered(meters, async () => {
        const order: ReservationOrder = { callers: CALLERS, ms };
        const { failures: failed, ...done } = await program.order<ReservationReport>(order);
        reserved += done.count;
        failures += failed;
        return done;
      }),
    faults: async () => [
      ...mustEqual(`${how}: refused reservations`, failures, 0),
      ...mustEqual(`${how}: tasks`, await books.count('tasks'), reserved),
      ...(await auditFaults(books)),
    ],
  };
}
