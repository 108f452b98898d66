import type { TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import type { RepeatableTask } from './expect-repetition';

export interface EndedRepetition extends Pick<RepeatableTask, 'keyId' | 'key'> {
  /** The task that the key must stand for; absent: any. */
  taskId?: TaskId;
  endedForSeconds: number;
}

/** Frees the key of a task that ended so long ago: the next request under it has a task of its own. */
export const forgetRepetition: Statement<[ended: EndedRepetition], never> = {
  text: `
delete from idempotency_keys x using tasks t
where x.key_id = $1 and x.idempotency_key = $2 and x.task_id = coalesce($3, x.task_id)
  and t.id = x.task_id and t.completed_at <= now() - make_interval(secs => $4)`,
  values: ({ keyId, key, taskId, endedForSeconds }) => [keyId, key, taskId ?? null, endedForSeconds],
};
