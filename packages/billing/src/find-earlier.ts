import type { TaskId } from '@mediagate/contracts';
import { createBatcher, type Database } from '@mediagate/database';
import type { SubmitOutcome } from './submission';

/** A submission that came with an `Idempotency-Key`. */
export interface KeyedRequest {
  keyId: string;
  key: string;
  requestHash: Buffer;
}

export type EarlierSubmission = Extract<SubmitOutcome, { kind: 'replayed' | 'conflict' }>;

const MAX_TOGETHER = 256;
const MAX_WAITING = 5000;

/** As in `submit_tasks`, said in a way that leaves the primary key: the index on the expiry goes through all keys that are alive. */
const FIND_EARLIER = {
  name: 'billing.find_earlier',
  text: `
select x.task_id as "taskId", x.request_hash = i.request_hash as "sameRequest", t.warnings
from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as i(key_id, idempotency_key, request_hash, ordinal)
left join idempotency_keys x
  on x.key_id = i.key_id and x.idempotency_key = i.idempotency_key and (x.expires_at <= now()) is not true
left join tasks t on t.id = x.task_id
order by i.ordinal`,
};

interface EarlierRow {
  taskId: TaskId | null;
  sameRequest: boolean | null;
  warnings: string[] | null;
}

/**
 * What the same key was used for before, within its 24 hours: a look that spares the work of a repetition. Undefined is no
 * promise, because its twin may be on its way; the submission itself decides. Look-ups of one time share a statement.
 *
 * @throws DatabaseUnavailableError also when too many wait.
 */
export function createEarlierFinder(
  database: Pick<Database, 'query'>,
): (request: KeyedRequest) => Promise<EarlierSubmission | undefined> {
  return createBatcher({
    maxItems: MAX_TOGETHER,
    maxWaiting: MAX_WAITING,
    async run(requests: KeyedRequest[]) {
      const rows = await database.query<EarlierRow>(FIND_EARLIER, [
        requests.map(({ keyId }) => keyId),
        requests.map(({ key }) => key),
        requests.map(({ requestHash }) => requestHash),
      ]);
      return rows.map(toEarlier);
    },
  });
}

function toEarlier({ taskId, sameRequest, warnings }: EarlierRow): EarlierSubmission | undefined {
  if (taskId === null) return undefined;
  return sameRequest ? { kind: 'replayed', taskId, warnings: warnings ?? [] } : { kind: 'conflict' };
}
