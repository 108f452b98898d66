import type { Database } from '@mediagate/database';

const DAY_MS = 86_400_000;

export type KeptDoor = Pick<Database, 'readKeptSince'>;

export interface ReportedTime {
  from: Date;
  to: Date;
}

/** A report needs single bookings of a time of which only the sums of whole days are left. */
export class BookingsRemovedError extends Error {
  /** Bookings since then are all there. */
  readonly keptSince: Date;

  constructor(keptSince: Date) {
    super(`bookings before ${keptSince.toISOString()} are removed`);
    this.name = 'BookingsRemovedError';
    this.keptSince = keptSince;
  }
}

/** The moment since when all bookings are there; undefined: none was ever removed. Read it after the bookings, which may be removed between. */
export async function readKeptSince(database: KeptDoor): Promise<Date | undefined> {
  const [row] = await database.readKeptSince();
  return row?.keptSince ?? undefined;
}

/**
 * Throws if bookings of the period were removed. Daily sums are never removed, so that a report by them needs single bookings only for the
 * parts of days at either end; a report without them needs all. To be called after the bookings were read.
 *
 * @throws BookingsRemovedError
 */
export async function requireKept(database: KeptDoor, { from, to }: ReportedTime, areSummed: boolean): Promise<void> {
  const keptSince = await readKeptSince(database);
  if (keptSince === undefined) return;
  const isCut = (at: Date) => !areSummed || at.getTime() % DAY_MS !== 0;
  if ((isCut(from) && from < keptSince) || (isCut(to) && to < keptSince)) throw new BookingsRemovedError(keptSince);
}
