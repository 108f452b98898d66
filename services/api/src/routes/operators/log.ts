import { describeAction, listActions } from '@mediagate/identity';
import { sendData } from '../../http/answers/answer-change';
import { readNumberedPageQuery, sendPage } from '../../http/fields/page';
import { ACCEPTED_TIME, DAY_MS, readTime } from '../../http/fields/query-time';
import type { OperatorHandler } from '../../http/route';

const LIST = 'actions';

/** GET /admin/v1/operator */
export const adminGetOperator: OperatorHandler = ({ response, operator: { id, name, role } }) =>
  sendData(response, { id, name, role });

/** GET /admin/v1/actions: the newest first. */
export const adminListActions: OperatorHandler = async ({ request, response }, { database }) => {
  const { query, limit, before } = readNumberedPageQuery(request, LIST);
  const wanted = {
    subject: query.text('subject'),
    actor: query.text('actor'),
    action: query.text('action'),
    createdFrom: query.parsed('created_after', (text) => readTime(text, 0), ...ACCEPTED_TIME),
    createdBefore: query.parsed('created_before', (text) => readTime(text, DAY_MS), ...ACCEPTED_TIME),
  };
  query.end();
  sendPage(response, LIST, await listActions(database, { ...wanted, before, limit }), describeAction);
};
