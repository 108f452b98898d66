import type { Rows } from './statements';

/**
 * The keys of one account, together, may do so much for nothing on a day of UTC; redeliveries count by key. Each leaves rows that are never
 * pruned: a change and a redelivery an entry in the audit log, a task of a test key its reservation and entries of the ledger.
 */
export const PER_DAY = { changes: 2000, redeliveries: 2000, tests: 20_000 } as const;

export type CountedByDay = keyof typeof PER_DAY;

/** The account, or the key, has done as much of it today as it may. */
export class DayLimitError extends Error {
  readonly counted: CountedByDay;

  constructor(counted: CountedByDay, owner: string) {
    super(`${owner} is at its limit of ${PER_DAY[counted]} ${counted} a day`);
    this.name = 'DayLimitError';
    this.counted = counted;
  }
}

/** @throws DayLimitError */
export async function countOfDay(
  database: Pick<Rows, 'countOfDay'>,
  counted: CountedByDay,
  owner: string,
): Promise<void> {
  const [within] = await database.countOfDay(`${counted}:${owner}`, PER_DAY[counted]);
  if (!within) throw new DayLimitError(counted, owner);
}
