import type { Database } from '@mediagate/database';

/** What was tried for a task, in order. */
export function listAttempts(database: Database, taskId: string) {
  return database.taskAttempt.findMany({
    where: { taskId },
    orderBy: { number: 'asc' },
    select: { number: true, state: true, fault: true, startedAt: true, endedAt: true },
  });
}
