import type { JsonObject } from '@mediagate/contracts';
import type { ActionFilter, LoggedAction } from '@mediagate/operators';
import type { OperatorHandler } from '../../http/handler';
import { unixSeconds } from '../../http/unix-seconds';
import { sendData } from './change';
import { readNumberedPage, sendPage } from './page';

export interface LogDeps {
  listActions(filter: ActionFilter): Promise<LoggedAction[]>;
}

const LIST = 'actions';

/** GET /admin/v1/operator */
export function createGetOperator(): OperatorHandler {
  return ({ response, operator: { id, name, role } }) => sendData(response, { id, name, role });
}

/** GET /admin/v1/actions: the newest first. */
export function createListActions({ listActions }: LogDeps): OperatorHandler {
  return async ({ request, response }) => {
    const { query, limit, before } = readNumberedPage(request, LIST);
    const subject = query.text('subject');
    query.end();
    const rows = await listActions({ subject, before, limit: limit + 1 });
    sendPage(response, rows, { list: LIST, limit, placeOf: ({ id }) => String(id), describe: describeAction });
  };
}

function describeAction({ id, createdAt, actor, action, subject, detail }: LoggedAction): JsonObject {
  return { id: String(id), created: unixSeconds(createdAt), actor, action, subject, detail };
}
