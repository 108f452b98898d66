import type { createFinisher } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Job } from '../job';
import { type FailTasksDeps, failTasks } from './fail-tasks';

const BATCH = 100;

/**
 * Fails and refunds what has run past its deadline, whoever holds it. A worker that comes back later finds a terminal
 * task: its result is kept on the attempt, never billed, never delivered.
 */
export function expireTasks(
  database: Database,
  finish: ReturnType<typeof createFinisher>,
  callbacks: FailTasksDeps['callbacks'],
): Job {
  return {
    name: 'expire-tasks',
    everyMs: 1000,
    async run() {
      const overdue = await database.findOverdueTasks(BATCH);
      const tasks = overdue.map((task) => ({ ...task, fence: 'any' as const }));
      const done = await failTasks(tasks, 'timeout', { finish, callbacks });
      return { done, more: overdue.length === BATCH };
    },
  };
}
