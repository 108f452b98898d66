import { pruneIdempotencyKeys } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Duty } from '../duty';

const BITE = 1000;

/** Forgets idempotency keys whose day is over. */
export function pruneRecords(database: Database): Duty {
  return {
    name: 'prune-records',
    everyMs: 60_000,
    async run() {
      const done = await pruneIdempotencyKeys(database, BITE);
      return { done, more: done === BITE };
    },
  };
}
