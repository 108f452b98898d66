import { createFinisher, type FinishedTask, type FinishOutcome, type FinishRequest } from '@mediagate/billing';
import type { Callbacks } from '@mediagate/callbacks';
import type { Database, TaskRow } from '@mediagate/database';
import type { QueuedTask, Queues } from '@mediagate/queue';
import { CancelWatch } from './cancel-watch';

/** No deployment keeps ended tasks for less: whoever keeps what was read of one may rely on it. */
export const RETENTION_MIN_DAYS = 1;

/** The domain of tasks, opened once in a process. Each command and each question takes the parts of it that it uses. */
export interface Tasks {
  database: Database;
  queue: Pick<Queues, 'enqueueTask'> & Callbacks['queue'];
  logger: Callbacks['logger'];
  /** Ends a task, with its settlement or refund; ends that come together share one statement. */
  finish(finish: FinishRequest): Promise<FinishOutcome>;
  /** Called for each task that ends in this process. */
  onEnded?: ((ended: FinishedTask) => void) | undefined;
  cancelling: Cancelling;
  /** Cancel requests whose answers callers of this process wait for. */
  cancelWatch: CancelWatch;
}

/** Decides which tasks can be cancelled after an upstream was asked, and how long a caller waits for that. */
export interface Cancelling {
  /** Protocols that can cancel what an upstream has accepted. */
  protocols: readonly string[];
  /** The caller of the task waits for the answer itself. */
  isSynchronous(task: Pick<TaskRow, 'model' | 'operation'>): boolean;
  /** Default: 10 s. */
  waitMs?: number | undefined;
}

export function openTasks(parts: Pick<Tasks, 'database' | 'queue' | 'logger' | 'onEnded' | 'cancelling'>): Tasks {
  const { database, logger, onEnded } = parts;
  return {
    ...parts,
    finish: createFinisher(database, { onEnded }),
    cancelWatch: new CancelWatch({
      database,
      enqueue: (task) => void enqueueTask(parts, { ...task, distinct: 'cancel' }),
      onError: (error) => logger.warn('cancel.look_failed', { error }),
    }),
  };
}

/** Enqueues a task that a commit has made due. Never rejects: without the job the reconciler finds the row. */
export async function enqueueTask(
  { queue, logger }: { queue: Pick<Queues, 'enqueueTask'>; logger: Tasks['logger'] },
  task: QueuedTask,
): Promise<void> {
  try {
    await queue.enqueueTask(task);
  } catch (error) {
    logger.warn('task.enqueue_failed', { taskId: task.taskId, error });
  }
}
