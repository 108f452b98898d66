import {
  createBatcher,
  type Database,
  DatabaseConflictError,
  DatabaseUnavailableError,
  retrySafely,
  type TrancheRow,
} from '@mediagate/database';
import type { Drawn } from './drawn';
import type { Tranche } from './tranche';

export type CreditDatabase = Pick<Database, 'bookDrawn' | 'tally'>;

export interface Entry {
  tranche: Tranche;
  /** Texts that were drawn from it, `MAX_ENTRY_TEXTS` at most. None: it is opened, filled up or given back. */
  texts: readonly Drawn[];
  /** Of one of them, when it is sent. */
  payloadOf(drawn: Drawn): string;
}

export interface BookerOptions {
  /** Of a tranche that nobody renews, by the database's clock. */
  lifeMs: number;
  /** Called before any entry of the statement resolves, so that what is left and what is outstanding are of the same moment. */
  onBooked(drawn: Drawn): void;
}

export const MAX_ENTRY_TEXTS = 16;
/** Of a statement; an entry without a text counts as one. */
const MAX_TEXTS = 128;
const MAX_WAITING_ENTRIES = 5000;
const LOCK_WAIT_MS = 250;
/** An account, and a key with a quota, must have so many times as much beside what is taken. */
const HEADROOM = 4;

/** Sends what concerns tranches to the database, many in a statement. Resolves with whether the tranche is there and covered what was sent. */
export function createBooker(database: CreditDatabase, options: BookerOptions): (entry: Entry) => Promise<boolean> {
  return createBatcher<Entry, boolean>({
    maxItems: MAX_TEXTS,
    sizeOf: ({ texts }) => Math.max(1, texts.length),
    maxWaiting: MAX_WAITING_ENTRIES,
    tally: database.tally('drawn'),
    rowOf: ({ tranche }) => tranche.accountId,
    run: (entries) => book(database, entries, options),
  });
}

async function book(
  database: CreditDatabase,
  entries: Entry[],
  { lifeMs, onBooked }: BookerOptions,
): Promise<boolean[]> {
  const tranches = [...new Set(entries.map(({ tranche }) => tranche))];
  const places = new Map(tranches.map((tranche, index) => [tranche, index + 1]));
  const wishes = tranches.map((tranche) => tranche.wish());
  const sentAt = performance.now();
  const tasks = entries.flatMap(({ tranche, texts, payloadOf }) => {
    const place = places.get(tranche) ?? 0;
    return texts.map((drawn) => ({ tranche: place, taskId: drawn.submission.taskId, payload: payloadOf(drawn) }));
  });
  const options = { lifeMs, headroom: HEADROOM, lockWaitMs: LOCK_WAIT_MS };
  const rows = await retrySafely(() => database.bookDrawn(wishes, tasks, options), { conflictRetries: 0 });
  const answers = new Map(tranches.map((tranche, index) => [tranche, rows[index] as TrancheRow]));
  for (const [tranche, row] of answers) tranche.answered(row, sentAt);
  return entries.map(({ tranche, texts }) => {
    const isBooked = answers.get(tranche)?.booked === true;
    if (isBooked) for (const drawn of texts) onBooked(drawn);
    return isBooked;
  });
}

/**
 * Where the statement has something against the one text of an entry, that is not booked, and no other is drawn from its tranche.
 *
 * @throws the error where there are several, each of which is to be tried alone; that of a database that is away, or where others held a row.
 */
export function endAfterFault(error: unknown, { tranche, texts }: Entry): false {
  const isAway = error instanceof DatabaseUnavailableError || error instanceof DatabaseConflictError;
  if (isAway || texts.length > 1) throw error;
  tranche.fault();
  return false;
}
