import { createFinisher, taskError } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';

const EVERY_MS = 100;
const GRACE_MS = 100;

export interface Reconciler {
  stop(): Promise<void>;
}

/**
 * The reconciler's two jobs for tasks, at a test's pace and from the same queries: enqueue what is due and not leased,
 * fail what is past its deadline.
 */
export function startReconciler(database: Database, queues: Queues): Reconciler {
  const finish = createFinisher(database);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let inFlight = Promise.resolve();

  async function round(): Promise<void> {
    const due = await database.findDueTasks({ graceMs: GRACE_MS, limit: 500 });
    await queues.enqueueTasks(
      'tts',
      due.map(({ id: taskId, family, fence }) => ({ taskId, family, fence, distinct: 'due' })),
    );
    await database.markTasksEnqueued(due.map(({ id }) => id));
    const error = taskError('timeout');
    for (const { id: taskId } of await database.findOverdueTasks(100)) {
      await finish({ taskId, fence: 'any', outcome: { kind: 'failed', error } });
    }
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => {
      inFlight = round();
    }, EVERY_MS);
  }

  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await inFlight;
    },
  };
}
