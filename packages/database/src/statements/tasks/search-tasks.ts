import type { Family, JsonObject, TaskId, TaskStatus } from '@mediagate/contracts';
import { type Scanned, scanned } from '../../page';
import type { Statement } from '../../statement';
import { TASK_COLUMNS, type TaskRow } from './task-row';

/** Selects tasks of any account for an operator; null fields do not narrow the search. */
export interface TaskSearch {
  /** Ids below this one, */
  before: string;
  /** and not below this one. */
  from: string;
  /** Rows of the index that one page looks at. */
  scanRows: number;
  limit: number;
  accountId: string | null;
  /** Part of an id. */
  idPart: string | null;
  requestId: string | null;
  status: TaskStatus | null;
  family: Family | null;
  model: string | null;
  metadata: JsonObject | null;
  /** Words in lower case, each of which must stand in what is known of the task. */
  words: readonly string[] | null;
}

export interface FoundTask extends TaskRow {
  requestId: string | null;
}

/** Whether the row `t` has all words: in its model, its end, its metadata, or vendors' ids and words about its jobs, in no other input. */
const HAS_WORDS = `(
    select bool_and(strpos(known.text, w.word) > 0)
    from unnest($12::text[]) as w(word)
    cross join (
      select lower(concat_ws(' ', t.model, t.operation, t.request_id, t.error ->> 'reason', t.error ->> 'message', t.metadata::text, (
        select string_agg(concat_ws(' ', a.external_id, a.channel_id, a.fault, a.detail), ' ')
        from task_attempts a where a.task_id = t.id
      ))) as text
    ) known
  )`;

const FILTERS = `
  ($5::text is null or t.account_id = $5) and ($6::text is null or strpos(t.id, $6) > 0)
  and ($7::text is null or t.request_id = $7) and ($8::text is null or t.status = $8)
  and ($9::text is null or t.family = $9) and ($10::text is null or t.model = $10)
  and ($11::jsonb is null or t.metadata @> $11) and ($12::text[] is null or ${HAS_WORDS})`;

/** Works like `listedBy` of the callers' lists. */
function foundBy<Own extends string[]>(
  source: string,
  order?: string,
): Statement<[search: TaskSearch, ...own: Own], Scanned<FoundTask>> {
  const row = `select ${TASK_COLUMNS}, t.request_id as "requestId" from tasks t where t.id = c.id and ${FILTERS}`;
  return {
    text: scanned({ source, row, order, limit: '$4', rows: '$3' }),
    values: ({ before, from, scanRows, limit, ...filters }, ...own) => [
      before,
      from,
      scanRows,
      limit,
      filters.accountId,
      filters.idPart,
      filters.requestId,
      filters.status,
      filters.family,
      filters.model,
      filters.metadata,
      filters.words,
      ...own,
    ],
  };
}

export const searchTasks = foundBy(`
  select t.id from tasks t where t.id < $1 and t.id >= $2 order by t.id desc limit $3`);

/** The row comparison keeps the planner to the index on account and id. */
export const searchTasksOfAccount = foundBy(
  `
  select t.account_id as head, t.id from tasks t where (t.account_id, t.id) < ($5, $1) and (t.account_id, t.id) >= ($5, $2)
  order by t.account_id desc, t.id desc limit $3`,
  'c.head desc, c.id desc',
);

/** Finds tasks by one entry of their metadata. */
export const searchTasksByLabel = foundBy<[name: string, value: string]>(`
  select l.task_id as id from task_labels l
  where l.account_id = $5 and l.label_hash = task_label_hash($13, $14) and l.task_id < $1 and l.task_id >= $2
  order by l.task_id desc limit $3`);

/**
 * Request ids of our own are UUIDs of version 7: their time finds them by the primary key. The partial index has the others, which
 * callers sent: so most submissions do not pay for it.
 */
const IS_CALLERS_REQUEST_ID = `request_id !~ '^[0-9a-f]{8}-[0-9a-f]{4}-7'`;

export const searchTasksByRequestId = foundBy(`
  select t.id from tasks t where t.request_id = $7 and ${IS_CALLERS_REQUEST_ID} and t.id < $1 and t.id >= $2
  order by t.id desc limit $3`);

/** Finds the task whose result or input a stored file is. */
export const findTaskOfMedia: Statement<[mediaId: string], { taskId: TaskId }> = {
  text: 'select m.task_id as "taskId" from media_objects m where m.id = $1 and m.task_id is not null',
  values: (mediaId) => [mediaId],
};
