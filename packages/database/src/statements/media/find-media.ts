import type { Statement } from '../../statement';
import { idBeforeMs } from '../tasks/after-ms';
import { isSeen, keyMaker, type Owned, type Visibility } from '../visibility';
import { MEDIA_COLUMNS, type MediaRow } from './media-row';

export const findMedia: Statement<[id: string], MediaRow & Owned> = {
  text: `select ${MEDIA_COLUMNS}, ${keyMaker('media_objects.key_id')} from media_objects where id = $1`,
  values: (id) => [id],
};

/** A file of its caller's that a task has stored for a vendor. */
export const findTaskInput: Statement<[taskId: string, sha256: Buffer], MediaRow> = {
  text: `
select ${MEDIA_COLUMNS} from media_objects
where task_id = $1 and purpose = 'input' and sha256 = $2 and deleted_at is null and expires_at > now()
order by id limit 1`,
  values: (taskId, sha256) => [taskId, sha256],
};

/** Finds those of the objects that have a row by which they are removed at their expiry. */
export const findKeptObjects: Statement<[storageKeys: readonly string[]], { storageKey: string }> = {
  text: `
select storage_key as "storageKey" from media_objects where storage_key = any($1::text[]) and deleted_at is null`,
  values: (storageKeys) => [storageKeys],
};

/** The least time-ordered id of so many milliseconds ago: keys of objects that were made before it sort before it. */
export const findFirstId: Statement<[agoMs: number], { id: string }> = {
  text: `select ${idBeforeMs('$1')} as id`,
  values: (agoMs) => [agoMs],
};

/** Uploads that are there, the newest first. An account has no more of them than its quota. */
export const listUploads: Statement<[who: Visibility, page: { before: string; limit: number }], MediaRow> = {
  text: `
select ${MEDIA_COLUMNS} from media_objects
where account_id = $1 and purpose = 'upload' and deleted_at is null and expires_at > now() and id < $2
  and ${isSeen('media_objects.key_id', '$4')}
order by id desc limit $3`,
  values: ({ accountId, ownKeyId }, { before, limit }) => [accountId, before, limit, ownKeyId],
};
