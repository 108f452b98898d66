import { describeEntry, type LedgerPage, type LedgerRow } from '@mediagate/billing';
import { isTaskId } from '@mediagate/contracts';
import { makeCursor, readCursor } from '../../http/cursor';
import { type Call, sendJson } from '../../http/exchange';
import { Query } from '../../http/query';
import type { BookingWatch } from '../../use-cases/booking-watch';

export interface LedgerDeps {
  listLedger(accountId: string, page: LedgerPage): Promise<LedgerRow[]>;
  bookings: Pick<BookingWatch, 'read'>;
}

const LIST = 'ledger';
const LIMIT = { min: 1, max: 100, fallback: 20 };

/** GET /v1/ledger: of the key's account, the newest entry first. */
export function createListLedger(deps: LedgerDeps): (call: Call) => Promise<void> {
  return async ({ request, response, caller }) => {
    const query = new Query(request);
    const limit = query.integer('limit', LIMIT);
    const before = query.parsed('cursor', readEntryId, 'must_be_cursor');
    const taskId = query.parsed('task_id', (text) => (isTaskId(text) ? text : undefined), 'must_be_task_id');
    query.end();
    // One more tells whether there are more.
    const rows = await readEntries(caller.accountId, { taskId, before, limit: limit + 1 }, deps);
    const shown = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const last = shown.at(-1);
    sendJson(response, 200, {
      code: 200,
      data: shown.map(describeEntry),
      next_cursor: hasMore && last ? makeCursor(LIST, String(last.id)) : null,
      has_more: hasMore,
    });
  };
}

/** Those of a task that has none may be on their way: a text on credit is booked after its answer. */
async function readEntries(
  accountId: string,
  page: LedgerPage,
  { listLedger, bookings }: LedgerDeps,
): Promise<LedgerRow[]> {
  const { taskId: id } = page;
  if (id === undefined) return listLedger(accountId, page);
  const readSome = async () => {
    const rows = await listLedger(accountId, page);
    return rows.length === 0 ? undefined : rows;
  };
  return (await bookings.read({ id, accountId }, readSome)) ?? [];
}

function readEntryId(cursor: string): bigint | undefined {
  const place = readCursor(LIST, cursor);
  return place !== undefined && /^\d{1,18}$/.test(place) ? BigInt(place) : undefined;
}
