import type { AttemptBegin, Claim, Database } from '@mediagate/database';

export interface Intent extends AttemptBegin {
  /** Attempts that the channel may have at once; undefined: no limit. */
  maxConcurrency: number | undefined;
}

/** Begins an attempt before its paid call. `at_capacity`: the channel has no slot for it, and nothing was written; `lost`: the claim is over. */
export async function writeIntent(
  database: Pick<Database, 'beginAttempt' | 'beginLimitedAttempt'>,
  task: Claim,
  { maxConcurrency, ...attempt }: Intent,
): Promise<'begun' | 'at_capacity' | 'lost'> {
  if (maxConcurrency === undefined) return (await database.beginAttempt(task, attempt)) ? 'begun' : 'lost';
  const [row] = await database.beginLimitedAttempt(task, attempt, maxConcurrency);
  return row?.outcome ?? 'lost';
}
