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
