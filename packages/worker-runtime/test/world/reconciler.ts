import { createFinisher, taskError } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';

const EVERY_MS = 100;
const GRACE_MS = 100;

export interface Reconciler {
  /** @throws what the last round failed with. */
  stop(): Promise<void>;
}

/**
 * The reconciler's two jobs for tasks, at a test's pace and from the same queries: enqueue what is due and not leased,
 * fail what is past its deadline. What a round fails to do is due in the next: the database of a busy machine may answer late.
 */
export function startReconciler(database: Database, queues: Queues): Reconciler {
  const finish = createFinisher(database);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let inFlight = Promise.resolve();
  let failure: unknown;

  async function round(): Promise<void> {
    const turns = { family: 'tts', limit: 500, fromAccountId: '', turnLeft: 0 } as const;
    const waiting = await database.findWaitingTasks([turns], GRACE_MS);
    const watched = await database.findDueTasks([{ family: 'tts', after: null }], { graceMs: GRACE_MS, limit: 500 });
    const due = [...waiting, ...watched];
    await queues.enqueueTasks(
      'tts',
      due.map(({ id: taskId, family, fence }) => ({ taskId, family, fence, distinct: 'due' })),
    );
    await database.markTasksEnqueued(waiting.map(({ id }) => id));
    const error = taskError('timeout');
    for (const { id: taskId, accountId } of await database.findOverdueTasks(100)) {
      await finish({ taskId, accountId, fence: 'any', outcome: { kind: 'failed', error } });
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      inFlight = round()
        .then(
          () => undefined,
          (error: unknown) => error,
        )
        .then((error) => {
          failure = error;
          if (!stopped) schedule();
        });
    }, EVERY_MS);
  }

  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await inFlight;
      if (failure !== undefined) throw failure;
    },
  };
}
