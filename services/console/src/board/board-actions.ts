import type { BeforeHook } from '@bull-board/api/typings/app';
import type { Logger } from '@mediagate/host';

/**
 * The actions that an operator may take on a queue. Removing a job changes no task and no money: the reconciler enqueues again what is
 * due and not leased. Pausing holds work back, in all processes, until somebody resumes; deadlines go on. A step is repeated or hastened by
 * its task, in whose row it stands, and never by its job. Jobs by hand, and limits that nobody sees, are refused, too.
 */
const ALLOWED_ACTIONS = new Set([
  '/api/queues/pause',
  '/api/queues/resume',
  '/api/queues/:queueName/pause',
  '/api/queues/:queueName/resume',
  '/api/queues/:queueName/empty',
  '/api/queues/:queueName/clean/:queueStatus',
  '/api/queues/:queueName/:jobId/clean',
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
