import type { BeforeHook } from '@bull-board/api/typings/app';
import type { Logger } from '@mediagate/host';

/**
 * The actions that an operator may take on a queue. A job only says which row to look at: removing, repeating or hastening one
 * changes no task and no money, and the reconciler enqueues again what is due and not leased. Pausing holds work back, in all
 * processes, until somebody resumes; deadlines go on. Actions that would invent jobs, or leave limits behind that nobody sees,
 * are not offered.
 */
const ALLOWED_ACTIONS = new Set([
  '/api/queues/pause',
  '/api/queues/resume',
  '/api/queues/:queueName/pause',
  '/api/queues/:queueName/resume',
  '/api/queues/:queueName/promote',
  '/api/queues/:queueName/empty',
  '/api/queues/:queueName/clean/:queueStatus',
  '/api/queues/:queueName/retry/:queueStatus',
  '/api/queues/:queueName/:jobId/promote',
  '/api/queues/:queueName/:jobId/clean',
  '/api/queues/:queueName/:jobId/retry',
]);

/** Reads are free; an action is in the list above or refused, and in the log either way. */
export function guardActions(logger: Logger): BeforeHook {
  return ({ method, route, request }) => {
    if (method === 'get') return undefined;
    const allowed = ALLOWED_ACTIONS.has(route);
    const { queueName, jobId } = request.params as { queueName?: string; jobId?: string };
    logger.info('console.queue_action', {
      method,
      route,
      outcome: allowed ? 'allowed' : 'refused',
      detail: [queueName, jobId].filter((part) => part !== undefined).join('/'),
    });
    return allowed ? undefined : { allow: false, status: 403, message: 'This action is not offered here.' };
  };
}
