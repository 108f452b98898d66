import { describeEntry, listLedger } from '@mediagate/billing';
import { isTaskId } from '@mediagate/contracts';
import { readCursor } from '../../../http/cursor';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/handler';
import { LIMIT, nextPage } from '../../../http/page';
import { Query } from '../../../http/query';

const LIST = 'ledger';

/** GET /v1/ledger: what the key sees of its account's, the newest entry first. */
export const listLedgerHandler: KeyHandler = async ({ request, response, caller }, { database }) => {
  const query = new Query(request);
  const limit = query.integer('limit', LIMIT);
  const before = query.parsed('cursor', readEntryId, 'must_be_cursor');
  const taskId = query.parsed('task_id', (text) => (isTaskId(text) ? text : undefined), 'must_be_task_id');
  query.end();
  const { rows, next } = await listLedger(database, caller, { taskId, before, limit });
  sendJson(response, 200, {
    code: 200,
    data: rows.map(describeEntry),
    ...nextPage(LIST, next),
  });
};

function readEntryId(cursor: string): bigint | undefined {
  const place = readCursor(LIST, cursor);
  return place !== undefined && /^\d{1,18}$/.test(place) ? BigInt(place) : undefined;
}
