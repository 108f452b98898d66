import { describeQueues, type ListedQueues } from '@mediagate/identity';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { sendData } from './change';

export interface QueueDeps {
  listQueues(): Promise<ListedQueues>;
}

/** GET /admin/v1/queues */
export function createListQueues({ listQueues }: QueueDeps): OperatorHandler {
  return async ({ request, response }) => {
    new Query(request).end();
    sendData(response, describeQueues(await listQueues()));
  };
}
