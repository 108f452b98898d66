import type { Database } from '@mediagate/database';
import type { Job } from '../job';

const BATCH = 1000;
const EVERY_MS = 2000;
/** As of abandoned tasks: after an outage the processes that are alive book and renew first. */
const LAPSED_FOR_MS = 8000;

/** Gives back what processes have taken as credit and do not renew: they were killed, or are frozen, and book nothing on it any more. */
export function lapseCredit(
  database: Pick<Database, 'findLapsedTranches' | 'lapseTranches'>,
  { lapsedForMs = LAPSED_FOR_MS }: { lapsedForMs?: number | undefined } = {},
): Job {
  /** Since when each was found lapsed, by `performance.now()`. */
  let lapsedSince = new Map<string, number>();

  async function findLapsed(): Promise<string[]> {
    try {
      return (await database.findLapsedTranches(BATCH)).map(({ id }) => id);
    } catch (error) {
      lapsedSince = new Map();
      throw error;
    }
  }

  return {
    name: 'lapse-credit',
    everyMs: EVERY_MS,
    async run() {
      const now = performance.now();
      const lapsed = await findLapsed();
      lapsedSince = new Map(lapsed.map((id) => [id, lapsedSince.get(id) ?? now]));
      const due = lapsed.filter((id) => now - (lapsedSince.get(id) ?? now) >= lapsedForMs);
      if (due.length === 0) return { done: 0, more: false };
      const [row] = await database.lapseTranches(due);
      return { done: Number(row?.lapsed ?? 0n), more: false };
    },
  };
}
