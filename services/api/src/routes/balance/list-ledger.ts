import { describeEntry, type LedgerPage, type LedgerRow } from '@mediagate/billing';
import { isTaskId } from '@mediagate/contracts';
import { makeCursor, readCursor } from '../../http/cursor';
import { type Call, sendJson } from '../../http/exchange';
import { Query } from '../../http/query';

export interface LedgerDeps {
  listLedger(accountId: string, page: LedgerPage): Promise<LedgerRow[]>;
}

const LIST = 'ledger';
const LIMIT = { min: 1, max: 100, fallback: 20 };

/** GET /v1/ledger: of the key's account, the newest entry first. */
export function createListLedger({ listLedger }: LedgerDeps): (call: Call) => Promise<void> {
  return async ({ request, response, caller }) => {
    const query = new Query(request);
    const limit = query.integer('limit', LIMIT);
    const before = query.parsed('cursor', readEntryId, 'must_be_cursor');
    const taskId = query.parsed('task_id', (text) => (isTaskId(text) ? text : undefined), 'must_be_task_id');
    query.end();
    // One more tells whether there are more.
    const rows = await listLedger(caller.accountId, { taskId, before, limit: limit + 1 });
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

function readEntryId(cursor: string): bigint | undefined {
  const place = readCursor(LIST, cursor);
  return place !== undefined && /^\d{1,18}$/.test(place) ? BigInt(place) : undefined;
}
