import { sumDays } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Job } from '../job';

/** A statement of this many takes well under a second. */
const BATCH = 20_000;
const EVERY_MS = 60_000;

/** Adds ended tasks to the sums of their days, which reports are made from. The first run in a database with many goes through all of them. */
export function sumUsageDays(database: Database): Job {
  return { name: 'sum-usage-days', everyMs: EVERY_MS, run: () => sumDays(database, { limit: BATCH }) };
}
