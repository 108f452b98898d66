import { describeQueues, listQueues } from '@mediagate/tasks';
import { sendData } from '../../http/answers/answer-change';
import { Query } from '../../http/fields/query';
import type { OperatorHandler } from '../../http/route';

/** GET /admin/v1/queues */
export const adminListQueues: OperatorHandler = async ({ request, response }, { database, queues }) => {
  new Query(request).end();
  const countJobs = () => queues.counts().catch(() => undefined);
  sendData(response, describeQueues(await listQueues(database, countJobs)));
};
