import type { Database } from '@mediagate/database';

const SELECTED = { taskId: true, number: true, state: true, fault: true, startedAt: true, endedAt: true } as const;

/** The attempts of these tasks, in order. */
export function listAttempts(database: Database, taskIds: readonly string[]) {
  return database.taskAttempt.findMany({
    where: { taskId: { in: [...taskIds] } },
    orderBy: [{ taskId: 'asc' }, { number: 'asc' }],
    select: SELECTED,
  });
}
