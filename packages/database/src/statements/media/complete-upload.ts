import type { Statement } from '../../statement';
import { MEDIA_COLUMNS, type MediaRow } from './media-row';
import type { StoredFile } from './save-media';

/** The file that an announced upload was found to be. */
export interface JudgedUpload extends StoredFile {
  seconds: number | null;
  pages: number | null;
  /** The id of the row that has the object behind the link removed. */
  leftoverId: string;
}

/**
 * Completes an announced upload, and counts its real size in place of the announced one. The object that callers
 * can still write to is left to the expiry. No row: it is not announced any more, and nothing was written. Counts are locked in the
 * order in which `keep_upload` does.
 */
export const completeUpload: Statement<[upload: JudgedUpload], MediaRow> = {
  text: `
with announced as materialized (
  select id, account_id, key_id, storage_key, bytes, expires_at from media_objects
  where id = $1 and account_id = $2 and purpose = 'incoming' and deleted_at is null and expires_at > now() for update
),
locked as materialized (
  select u.owner, $5::bigint - a.bytes as more from announced a
  join storage_usages u on u.owner in ('account:' || a.account_id, 'key:' || a.key_id) order by u.owner for update of u
),
counted as (
  update storage_usages u set stored_bytes = greatest(u.stored_bytes + l.more, 0) from locked l where u.owner = l.owner
),
completed as (
  update media_objects m set purpose = 'upload', storage_key = $3, content_type = $4, bytes = $5, sha256 = $6, width = $7, height = $8,
    seconds = $9, pages = $10, expires_at = date_trunc('second', now() + make_interval(secs => $11::float8 / 1000))
  from announced a where m.id = a.id
  returning m.*, a.storage_key as written_key, a.expires_at as written_until
),
left_over as (
  insert into media_objects (id, account_id, purpose, storage_key, content_type, bytes, sha256, expires_at)
  select $12, account_id, 'leftover', written_key, 'application/octet-stream', 0, '', written_until from completed
)
select ${MEDIA_COLUMNS} from completed`,
  values: (upload) => [
    upload.id,
    upload.accountId,
    upload.storageKey,
    upload.contentType,
    upload.bytes,
    upload.sha256,
    upload.width,
    upload.height,
    upload.seconds,
    upload.pages,
    upload.lifetimeMs,
    upload.leftoverId,
  ],
};

/** Gives back what an announced upload took of the quotas. Its object is left to the expiry: callers can still write to it. */
export const releaseUpload: Statement<[id: string, accountId: string], object> = {
  text: `
with released as (
  update media_objects set purpose = 'leftover'
  where id = $1 and account_id = $2 and purpose = 'incoming' and deleted_at is null
  returning account_id, key_id, bytes
),
locked as materialized (
  select u.owner, r.bytes from released r
  join storage_usages u on u.owner in ('account:' || r.account_id, 'key:' || r.key_id) order by u.owner for update of u
)
update storage_usages u
set stored_bytes = greatest(u.stored_bytes - l.bytes, 0), stored_files = greatest(u.stored_files - 1, 0)
from locked l where u.owner = l.owner`,
  values: (id, accountId) => [id, accountId],
};
