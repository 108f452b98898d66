import { describeQueues, listQueues } from '@mediagate/identity';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { sendData } from './change';

/** GET /admin/v1/queues */
export const adminListQueues: OperatorHandler = async ({ request, response }, { database, queues }) => {
  new Query(request).end();
  const countJobs = () => queues.counts().catch(() => undefined);
  sendData(response, describeQueues(await listQueues({ database, countJobs })));
};
