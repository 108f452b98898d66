import type { Statement } from '../../statement';
import { beforeMs } from '../tasks/after-ms';
import type { MediaRow } from './media-row';

export type ExpiredRow = Pick<MediaRow, 'id' | 'storageKey' | 'expiresAt'>;

/** Finds expired objects, from the first after the place on. */
export const findExpiredMedia: Statement<[limit: number, place: Omit<ExpiredRow, 'storageKey'>], ExpiredRow> = {
  text: `
select id, storage_key as "storageKey", expires_at as "expiresAt" from media_objects
where deleted_at is null and expires_at < now() and (expires_at, id) > ($2::timestamptz, $3)
order by expires_at, id limit $1`,
  values: (limit, { expiresAt, id }) => [limit, expiresAt, id],
};

export type ReleasedInputRow = Pick<MediaRow, 'id' | 'storageKey'> & {
  keyId: string;
  taskId: string;
  /** Its task has ended, so that no vendor needs it. */
  isOver: boolean;
};

/** The next files for vendors after the place, also of tasks that are under way. */
export const findReleasedInputs: Statement<
  [limit: number, place: Pick<ReleasedInputRow, 'keyId' | 'taskId' | 'id'>],
  ReleasedInputRow
> = {
  text: `
select m.id, m.storage_key as "storageKey", m.key_id as "keyId", m.task_id as "taskId",
  not exists (select from tasks t where t.id = m.task_id and (t.status in ('completed', 'failed')) is not true) as "isOver"
from (
  select id, storage_key, key_id, task_id from media_objects
  where purpose = 'input' and deleted_at is null and (key_id, task_id, id) > ($2, $3, $4)
  order by key_id, task_id, id limit $1
) m
order by m.key_id, m.task_id, m.id`,
  values: (limit, { keyId, taskId, id }) => [limit, keyId, taskId, id],
};

/**
 * Gives back the share of the quotas that uploads, results of test keys and their files for vendors took; locks the counts in the order in
 * which `record_upload` does. Files for vendors from before there was a count are in none, and uploads from before there were quotas: of
 * these less may be left than is given back.
 */
export const markMediaDeleted: Statement<[ids: readonly string[]], object> = {
  text: `
with gone as (
  update media_objects set deleted_at = now() where id = any($1::text[]) and deleted_at is null
  returning account_id, key_id, purpose, bytes, is_counted
),
freed as materialized (
  select o.owner, sum(g.bytes)::bigint as bytes, count(*)::int as files
  from gone g, lateral (
    values ('account:' || g.account_id, false), ('key:' || g.key_id, false), ('inputs:' || g.account_id, true)
  ) as o(owner, is_of_inputs)
  where g.purpose in ('upload', 'incoming', 'input', 'result') and g.key_id is not null and o.owner is not null and o.is_of_inputs = (g.purpose = 'input')
    and (g.is_counted or not o.is_of_inputs)
  group by o.owner
),
locked as materialized (
  select u.owner from storage_usages u where u.owner in (select owner from freed) order by u.owner for update
)
update storage_usages u
set stored_bytes = greatest(u.stored_bytes - f.bytes, 0), stored_files = greatest(u.stored_files - f.files, 0)
from freed f join locked l on l.owner = f.owner
where u.owner = f.owner`,
  values: (ids) => [ids],
};

/** Deletes rows of files whose bytes have been gone for so long, those that went first before the others; named by an array, as in `pruneTasks`. */
export const pruneMedia: Statement<[pruning: { limit: number; deletedForMs: number }], { id: string }> = {
  text: `
with old as materialized (
  select id from media_objects where deleted_at < ${beforeMs('$2')}
  order by deleted_at limit $1 for update skip locked
)
delete from media_objects m where m.id = any(array(select id from old)) returning m.id`,
  values: ({ limit, deletedForMs }) => [limit, deletedForMs],
};
