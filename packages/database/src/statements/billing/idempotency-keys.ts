import type { TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';

/** A submission that came with an `Idempotency-Key`. */
export interface KeyedRequest {
  keyId: string;
  key: string;
  requestHash: Buffer;
}

export interface EarlierRow {
  /** Null: the key was not used in its 24 hours. */
  taskId: TaskId | null;
  sameRequest: boolean | null;
  warnings: string[] | null;
}

/**
 * A row for each request, in their order. As in `book_tasks`, written so that only the primary key fits: the index on the
 * expiry goes through all keys that are alive.
 */
export const findEarlierSubmissions: Statement<[requests: readonly KeyedRequest[]], EarlierRow> = {
  text: `
select x.task_id as "taskId", x.request_hash = i.request_hash as "sameRequest", t.warnings
from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as i(key_id, idempotency_key, request_hash, ordinal)
left join idempotency_keys x
  on x.key_id = i.key_id and x.idempotency_key = i.idempotency_key and (x.expires_at <= now()) is not true
left join tasks t on t.id = x.task_id
order by i.ordinal`,
  values: (requests) => [
    requests.map(({ keyId }) => keyId),
    requests.map(({ key }) => key),
    requests.map(({ requestHash }) => requestHash),
  ],
};

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

interface EndedRepetition extends Pick<RepeatableTask, 'keyId' | 'key'> {
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

/** A row for each expired key that was removed. */
export const pruneIdempotencyKeys: Statement<[limit: number], { task_id: string }> = {
  text: `
with old as materialized (
  select key_id, idempotency_key from idempotency_keys where expires_at <= now() limit $1 for update skip locked
)
delete from idempotency_keys x using old
where x.key_id = old.key_id and x.idempotency_key = old.idempotency_key
returning x.task_id`,
  values: (limit) => [limit],
};
