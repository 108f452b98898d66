import { FAMILIES, type Family, type JsonObject, type TaskId, type TaskStatus } from '@mediagate/contracts';
import { type Scanned, scanned } from '../../page';
import type { Statement } from '../../statement';
import { CALLBACK_COLUMN } from '../callbacks/callback-progress';
import { isSeen, seenKeys, type Visibility } from '../visibility';
import { AWAITS_CALLER_COLUMN, TASK_COLUMNS, type TaskRow } from './task-row';

/** Selects tasks of an account; null fields do not narrow the search. */
export interface TaskFilters {
  status: TaskStatus | null;
  family: Family | null;
  model: string | null;
  createdFrom: Date | null;
  createdBefore: Date | null;
  /** Entries that the task's metadata has. */
  metadata: JsonObject | null;
  parentTaskId: TaskId | null;
  /** States of deliveries. A callback that has none, because its task has not ended, is `pending`. */
  callbackStates: readonly string[] | null;
}

export interface TaskListing extends Visibility {
  /** Ids below this one, */
  before: string;
  /** and not below this one. */
  from: string;
  /** Rows that one page looks at: of each range of an index that it reads, or where it reads by keys, of all keys together. */
  scanRows: number;
  limit: number;
  filters: TaskFilters;
}

/**
 * The rest of the filters, on each task that an index brings. A null parameter asks for nothing.
 */
const FILTERS = `
  t.account_id = $1 and ${isSeen('t.key_id', '$14')}
  and ($6::text is null or t.status = $6) and ($7::text is null or t.family = $7) and ($8::text is null or t.model = $8)
  and ($9::timestamptz is null or t.created_at >= $9) and ($10::timestamptz is null or t.created_at < $10)
  and ($11::jsonb is null or t.metadata @> $11) and ($12::text is null or t.parent_task_id = $12)
  and ($13::text[] is null or exists (
    select from webhook_deliveries d where d.task_id = t.id and d.state = any($13)
  ) or (t.webhook is not null and t.completed_at is null and 'pending' = any($13)))`;

const MAX_LISTED_KEYS = 1000;

/** Orders in which a source has its ids: one range of an index, or several. In an order not its own, all of it would be sorted first. */
const RANGE_ORDER = 'c.head desc, c.id desc';
const ID_ORDER = 'c.id desc';

/** A page of tasks, the newest first: `source` reads their ids from one index. */
function listedBy<Own extends string[]>(
  source: string,
  order: string,
  rows = '$4',
): Statement<[listing: TaskListing, ...own: Own], Scanned<TaskRow>> {
  const row = `select ${TASK_COLUMNS}, ${AWAITS_CALLER_COLUMN}, ${CALLBACK_COLUMN} from tasks t where t.id = c.id and ${FILTERS}`;
  return {
    text: scanned({ source, row, order, limit: '$5', rows }),
    values: ({ accountId, ownKeyId, before, from, scanRows, limit, filters }, ...own) => [
      accountId,
      before,
      from,
      scanRows,
      limit,
      filters.status,
      filters.family,
      filters.model,
      filters.createdFrom,
      filters.createdBefore,
      filters.metadata,
      filters.parentTaskId,
      filters.callbackStates,
      ownKeyId,
      ...own,
    ],
  };
}

/**
 * Ids from a range of an index whose last column is the id. The columns are compared as a row: no other index has that order, so
 * that an account with few tasks never waits for a scan through those of all others.
 */
function range(table: string, columns: readonly [column: string, value: string][], id: string): string {
  const [names, values] = [columns.map(([name]) => name), columns.map(([, value]) => value)];
  const [row, key] = [[...names, id].join(', '), values.join(', ')];
  return `
    select ${names[0]} as head, ${id} as id from ${table}
    where (${row}) < (${key}, $2) and (${row}) >= (${key}, $3)`;
}

const ordered = (columns: string, rows = '$4'): string =>
  `order by ${columns.replaceAll(',', ' desc,')} desc limit ${rows}`;

/** Several ranges as one: each gives its newest, of which the newest stay. */
const merged = (ranges: string, each: string, rows = '$4'): string => `
  select r.id from ${ranges} cross join lateral (${each}) r order by r.id desc limit ${rows}`;

const OF_ACCOUNT = range('tasks t', [['t.account_id', '$1']], 't.id');
const ACCOUNT_ORDER = ordered('t.account_id, t.id');

const ofModel = (family: string, model: string): string =>
  `select e.id from ended_tasks_of_model($1, ${family}, ${model}, $2, $3, $4) e(id)`;

export const listTasks = listedBy(`${OF_ACCOUNT} ${ACCOUNT_ORDER}`, RANGE_ORDER);
export const listOpenTasks = listedBy(
  `${OF_ACCOUNT} and t.status not in ('completed', 'failed') ${ACCOUNT_ORDER}`,
  RANGE_ORDER,
);
export const listFailedTasks = listedBy(`${OF_ACCOUNT} and t.status = 'failed' ${ACCOUNT_ORDER}`, RANGE_ORDER);

/** Lists ended tasks of a model. */
export const listTasksOfModel = listedBy(
  merged(`unnest('{${FAMILIES.join()}}'::text[]) as f(family)`, ofModel('f.family', '$8')),
  ID_ORDER,
);

/** Lists ended tasks of a family, model by model. */
export const listTasksOfFamily = listedBy(
  merged('models_of_ended_tasks($1, $7) u(model)', ofModel('$7', 'u.model')),
  ID_ORDER,
);

/** The index on key and id has this collation, so that no look-up of a key's open tasks is planned through all that the key has made. */
const KEY = 't.key_id collate "C"';

const ofKey = (rows: string): string => `${range('tasks t', [[KEY, 'k.id']], 't.id')} ${ordered(`${KEY}, t.id`, rows)}`;

/** The newest of a caller's keys, those that are not revoked first: no more than an account may have of them. */
const LISTED_KEYS = `(
  select k.id from api_keys k where k.id in ${seenKeys('$14')}
  order by k.revoked_at is not null, k.created_at desc, k.id limit ${MAX_LISTED_KEYS}
)`;
const ROWS_OF_KEYS = `(select greatest($5, $4 / greatest(count(*), 1)) from ${LISTED_KEYS} k)`;

/**
 * Whatever the filters are: no index has them by key. The newest so many tasks are of as many keys at most, of those whose own newest task
 * is newest; no other key is read further.
 */
export const listTasksOfKeys = listedBy(
  merged(
    `(select k.id from ${LISTED_KEYS} k cross join lateral (${ofKey('1')}) r order by r.id desc limit ${ROWS_OF_KEYS}) k`,
    ofKey(ROWS_OF_KEYS),
    ROWS_OF_KEYS,
  ),
  ID_ORDER,
  ROWS_OF_KEYS,
);

export const listTasksOfParent = listedBy(
  `
  ${range('tasks t', [['t.parent_task_id', '$12']], 't.id')} and t.parent_task_id is not null
  ${ordered('t.parent_task_id, t.id')}`,
  RANGE_ORDER,
);

export const listTasksByCallback = listedBy(
  merged(
    'unnest($13::text[]) as s(state)',
    `${range(
      'webhook_deliveries d',
      [
        ['d.account_id', '$1'],
        ['d.state', 's.state'],
      ],
      'd.task_id',
    )}
    ${ordered('d.account_id, d.state, d.task_id')}`,
  ),
  ID_ORDER,
);

/** Lists tasks by one entry of their metadata. */
export const listTasksByLabel = listedBy<[name: string, value: string]>(
  `
  select l.task_id as id from task_labels l
  where l.account_id = $1 and l.label_hash = task_label_hash($15, $16) and l.task_id < $2 and l.task_id >= $3
  order by l.task_id desc limit $4`,
  ID_ORDER,
);

/** Finds the tasks of an idempotency key, used by any key of the account. */
export const listTasksByIdempotencyKey = listedBy<[idempotencyKey: string]>(
  `
  select x.task_id as id from api_keys k
  join idempotency_keys x on x.key_id = k.id and x.idempotency_key = $15
  where k.account_id = $1 and x.task_id < $2 and x.task_id >= $3
  order by x.task_id desc limit $4`,
  ID_ORDER,
);
