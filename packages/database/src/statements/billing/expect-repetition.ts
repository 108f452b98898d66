import type { TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import type { KeyedRequest } from './find-earlier-submissions';

export interface RepeatableTask extends KeyedRequest {
  taskId: TaskId;
  /** How long a repetition may come. */
  seconds: number;
}

/** Makes the task answer what comes under the key, whichever task did before. */
export const expectRepetition: Statement<[task: RepeatableTask], never> = {
  text: `
insert into idempotency_keys (key_id, idempotency_key, request_hash, task_id, expires_at)
values ($1, $2, $3, $4, now() + make_interval(secs => $5))
on conflict (key_id, idempotency_key) do update
  set request_hash = excluded.request_hash, task_id = excluded.task_id, expires_at = excluded.expires_at`,
  values: ({ keyId, key, requestHash, taskId, seconds }) => [keyId, key, requestHash, taskId, seconds],
};
