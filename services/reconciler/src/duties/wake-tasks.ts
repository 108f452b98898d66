import type { Family } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import { type DueTask, findDueTasks, forgetWakes, markWoken } from '@mediagate/tasks';
import type { Duty } from '../duty';

/** What a healthy queue may take from the commit of a row to the claim of its task. */
const GRACE_MS = 2000;
const BITE = 500;
const FORGET_BITE = 2000;

/**
 * Wakes tasks that are due and that nobody works on: committed and never enqueued, their job lost with Redis, or their
 * worker dead. A wake carries the row's fence as its identity, so doing this twice adds nothing.
 */
export function wakeTasks(database: Database, queues: Queues): Duty {
  // Redis tells of its loss once, so it is remembered here until every wake is forgotten.
  let wakesLost = false;

  async function forgetLostWakes(): Promise<void> {
    wakesLost ||= await queues.wakesWereLost();
    while (wakesLost) wakesLost = (await forgetWakes(database, FORGET_BITE)) === FORGET_BITE;
  }

  return {
    name: 'wake-tasks',
    everyMs: 1000,
    async run() {
      await forgetLostWakes();
      const due = await findDueTasks(database, { graceMs: GRACE_MS, limit: BITE });
      for (const [family, tasks] of byFamily(due)) {
        await queues.wakeTasks(
          family,
          tasks.map(({ id: taskId, fence }) => ({ family, taskId, fence })),
        );
        await markWoken(database, tasks);
      }
      return { done: due.length, more: due.length === BITE };
    },
  };
}

function byFamily(tasks: readonly DueTask[]): Map<Family, DueTask[]> {
  const groups = new Map<Family, DueTask[]>();
  for (const task of tasks) groups.set(task.family, [...(groups.get(task.family) ?? []), task]);
  return groups;
}
