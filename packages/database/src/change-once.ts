import { countOfDay } from './count-of-day';
import { sqlState } from './database-error';
import type { Rows } from './statements';
import type { ChangedRow, ChangeRequest } from './statements/identity/note';

export type ChangeOutcome =
  | { kind: 'changed'; row: ChangedRow; replayed: boolean }
  /** The row is not there, or not in a state that allows it. */
  | { kind: 'unchanged' }
  /** The idempotency key came before with another request. */
  | { kind: 'key_reused' }
  /** Something that may be there once is there already. */
  | { kind: 'duplicate' };

const UNIQUE_VIOLATION = '23505';

/**
 * Makes a change by a statement with a note. Under an idempotency key that came before, it answers what was changed then and
 * changes nothing. Simultaneous requests under one key end alike: one changes, the others find what it did.
 *
 * @throws DayLimitError where a key asks; nothing was changed. Each request counts, also one that turns out to change nothing: it took
 * its statements.
 */
export async function changeOnce(
  database: Pick<Rows, 'findChange' | 'countOfDay'>,
  request: ChangeRequest,
  change: () => Promise<ChangedRow[]>,
): Promise<ChangeOutcome> {
  const earlier = await findEarlier(database, request);
  if (earlier) return earlier;
  if (request.counted) await countOfDay(database, request.counted.as, request.counted.owner);
  let otherwise: ChangeOutcome = { kind: 'unchanged' };
  try {
    const [row] = await change();
    if (row) return { kind: 'changed', row, replayed: false };
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
    otherwise = { kind: 'duplicate' };
  }
  return (await findEarlier(database, request)) ?? otherwise;
}

/** The same change, made also where its account has made as many today as it may: it ends a right, and can be made once for each right. */
export function uncounted({ counted: _, ...request }: ChangeRequest): ChangeRequest {
  return request;
}

async function findEarlier(
  database: Pick<Rows, 'findChange'>,
  { actor, idempotency }: ChangeRequest,
): Promise<ChangeOutcome | undefined> {
  if (!idempotency) return undefined;
  const [found] = await database.findChange(actor, idempotency.key);
  if (!found) return undefined;
  const { requestHash, ...row } = found;
  return requestHash.equals(idempotency.requestHash)
    ? { kind: 'changed', row, replayed: true }
    : { kind: 'key_reused' };
}
