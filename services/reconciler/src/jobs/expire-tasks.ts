import type { Job } from '../job';
import { type Ending, failTasks } from './fail-tasks';

const BATCH = 100;

/**
 * Fails and refunds what has run past its deadline, whoever holds it. A worker that comes back later finds a terminal
 * task: its result is kept on the attempt, never billed, never delivered.
 */
export function expireTasks(tasks: Ending): Job {
  return {
    name: 'expire-tasks',
    everyMs: 1000,
    async run() {
      const overdue = await tasks.database.findOverdueTasks(BATCH);
      const ended = overdue.map((task) => ({ ...task, fence: 'any' as const }));
      const done = await failTasks(tasks, ended, 'timeout');
      return { done, more: overdue.length === BATCH };
    },
  };
}
