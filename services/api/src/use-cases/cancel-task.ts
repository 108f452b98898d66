import { cancelUnpaid, type Finish, type Finished } from '@mediagate/billing';
import { type Callbacks, enqueueCallback } from '@mediagate/callbacks';
import type { Catalogue } from '@mediagate/catalog';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import { type CancelDeps, type CancelTask, createTaskCanceller } from '@mediagate/tasks';
import { protocolsThatCancel } from '@mediagate/upstreams';

export interface CancelTaskOptions {
  database: Database;
  finish(finish: Finish): Promise<Finished>;
  readTask: CancelDeps['readTask'];
  queues: Pick<Queues, 'enqueueTask'>;
  callbacks: Pick<Callbacks, 'queue' | 'logger'>;
  catalogue: Pick<Catalogue, 'entries'>;
  logger: Logger;
  waitMs: number | undefined;
}

/** Cancels tasks of callers; the queue is written in the background. */
export function createCancelTask(options: CancelTaskOptions): CancelTask {
  const { database, finish, readTask, queues, callbacks, catalogue, logger, waitMs } = options;

  function inBackground(enqueued: Promise<void>, taskId: string): void {
    enqueued.catch((error: unknown) => logger.warn('task.enqueue_failed', { taskId, error }));
  }

  return createTaskCanceller({
    database,
    readTask,
    waitMs,
    async endUnpaid(task) {
      const ended = await cancelUnpaid(finish, task);
      void enqueueCallback(callbacks, ended);
      return ended.won;
    },
    enqueueTask: (task) => inBackground(queues.enqueueTask(task), task.taskId),
    onLookFailed: (error) => logger.warn('cancel.look_failed', { error }),
    protocols: protocolsThatCancel(),
    isSynchronous: ({ model, operation }) =>
      catalogue.entries.some((entry) => entry.id === model && entry.operation === operation && entry.synchronous),
  });
}
