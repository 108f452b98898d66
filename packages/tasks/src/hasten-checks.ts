import { RepeatedLook } from '@mediagate/concurrency';
import type { Family, TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

export interface HastenChecksDeps {
  database: Pick<Database, 'hastenChecks'>;
  enqueueTask(task: { family: Family; taskId: TaskId; fence: number; distinct: string }): Promise<void>;
  onFailed(error: unknown): void;
}

/** Of one task: whatever its vendor, or whoever has its token, sends in between changes nothing. */
const EVERY_MS = 5_000;
/** Between two statements, however many callbacks come: five a second in each process. */
const LOOK_EVERY_MS = 200;
const MAX_TOGETHER = 100;
/** Jobs that wait for a look; beyond them a callback is dropped, and its job is checked at its time. */
const MAX_WAITING = 1_000;

/**
 * Has the jobs of attempts checked early whose vendors called back. Nobody waits for it, and nothing depends on it: what comes
 * to nothing here is found by the next check. A job that is reported again and again takes one place among those that wait.
 */
export function createCheckHastener({
  database,
  enqueueTask,
  onFailed,
}: HastenChecksDeps): (attemptId: string) => void {
  const waiting = new Set<string>();
  const looks = new RepeatedLook({
    everyMs: LOOK_EVERY_MS,
    isWanted: () => waiting.size > 0,
    async look() {
      const attemptIds = [...waiting].slice(0, MAX_TOGETHER);
      for (const id of attemptIds) waiting.delete(id);
      const due = await database.hastenChecks(attemptIds, EVERY_MS);
      // The job of the check as it was planned has the same fence.
      const enqueued = due.map(({ id: taskId, family, fence }) =>
        enqueueTask({ family, taskId, fence, distinct: 'callback' }),
      );
      await Promise.all(enqueued);
    },
    onError: onFailed,
  });
  return (attemptId) => {
    if (waiting.size < MAX_WAITING) waiting.add(attemptId);
    looks.start();
  };
}
