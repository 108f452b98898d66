import { describeEntry, describeKept, listLedger as readLedger } from '@mediagate/billing';
import { isTaskId } from '@mediagate/contracts';
import { sendJson } from '../../../http/exchange';
import { nextPage, readNumberedPageQuery } from '../../../http/fields/page';
import type { KeyHandler } from '../../../http/route';

const LIST = 'ledger';

/** GET /v1/ledger: what the key sees of its account's, the newest entry first. */
export const listLedger: KeyHandler = async ({ request, response, caller }, { database }) => {
  const { query, limit, before } = readNumberedPageQuery(request, LIST);
  const taskId = query.parsed('task_id', (text) => (isTaskId(text) ? text : undefined), 'must_be_task_id');
  query.end();
  const { rows, next, keptSince } = await readLedger(database, caller, { taskId, before, limit });
  sendJson(response, 200, {
    code: 200,
    data: rows.map(describeEntry),
    ...nextPage(LIST, next),
    ...describeKept({ keptSince }),
  });
};
