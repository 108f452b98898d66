import type { CallbackRecord } from '@mediagate/contracts';
import type { Database, TaskInput, TaskRow } from '@mediagate/database';

/** The inputs of tasks, by id. The caller checks whose tasks they are. */
export async function readTaskInputs(database: Database, ids: readonly string[]): Promise<Map<string, TaskInput>> {
  const rows = await database.readTaskInputs(ids);
  return new Map(rows.map(({ id, ...task }) => [id, task]));
}

const SELECTED = { taskId: true, number: true, state: true, fault: true, startedAt: true, endedAt: true } as const;

/** The attempts of these tasks, in order. */
export function listAttempts(database: Database, taskIds: readonly string[]) {
  return database.taskAttempt.findMany({
    where: { taskId: { in: [...taskIds] } },
    orderBy: [{ taskId: 'asc' }, { number: 'asc' }],
    select: SELECTED,
  });
}

/** Undefined: the task has no webhook. */
export function toCallbackRecord({ webhook, callback }: TaskRow): CallbackRecord | undefined {
  if (webhook === null) return undefined;
  return {
    url: webhook,
    state: callback?.state ?? 'pending',
    attempts: callback?.attempts ?? 0,
    last_status: callback?.lastStatus ?? null,
    last_error: callback?.lastError ?? null,
    next_attempt_at: callback?.nextAttemptAt ?? null,
    refused_because: callback?.state === 'dropped' ? callback.reason : null,
  };
}
