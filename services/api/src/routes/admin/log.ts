import type { JsonObject } from '@mediagate/contracts';
import type { ActionFilter, LoggedAction } from '@mediagate/operators';
import { makeCursor, readCursor } from '../../http/cursor';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { unixSeconds } from '../../http/unix-seconds';
import { sendData } from './change';

export interface LogDeps {
  listActions(filter: ActionFilter): Promise<LoggedAction[]>;
}

const LIST = 'actions';
const LIMIT = { min: 1, max: 100, fallback: 20 };

/** GET /admin/v1/operator */
export function createGetOperator(): OperatorHandler {
  return ({ response, operator: { id, name, role } }) => sendData(response, { id, name, role });
}

/** GET /admin/v1/actions: the newest first. */
export function createListActions({ listActions }: LogDeps): OperatorHandler {
  return async ({ request, response }) => {
    const query = new Query(request);
    const limit = query.integer('limit', LIMIT);
    const before = query.parsed('cursor', readEntryId);
    const subject = query.text('subject');
    query.end();
    // One more tells whether there are more.
    const rows = await listActions({ subject, before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const hasMore = rows.length > limit;
    sendJson(response, 200, {
      code: 200,
      data: shown.map(describeAction),
      next_cursor: hasMore && last ? makeCursor(LIST, String(last.id)) : null,
      has_more: hasMore,
    });
  };
}

function readEntryId(cursor: string): bigint | undefined {
  const place = readCursor(LIST, cursor);
  return place !== undefined && /^\d{1,18}$/.test(place) ? BigInt(place) : undefined;
}

function describeAction({ id, createdAt, actor, action, subject, detail }: LoggedAction): JsonObject {
  return { id: String(id), created: unixSeconds(createdAt), actor, action, subject, detail };
}
