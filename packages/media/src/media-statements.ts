import type { Statement } from '@mediagate/database';

export type MediaPurpose = 'result' | 'upload';

export interface MediaRow {
  id: string;
  accountId: string;
  taskId: string | null;
  purpose: MediaPurpose;
  storageKey: string;
  contentType: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  createdAt: Date;
  expiresAt: Date;
  deletedAt: Date | null;
}

export type ExpiredRow = Pick<MediaRow, 'id' | 'storageKey' | 'expiresAt'>;

const COLUMNS = `id, account_id as "accountId", task_id as "taskId", purpose, storage_key as "storageKey",
  content_type as "contentType", bytes::float8 as bytes, encode(sha256, 'hex') as sha256, width, height,
  created_at as "createdAt", expires_at as "expiresAt", deleted_at as "deletedAt"`;

/** The expiry is cut to a whole second, because links and records tell it in seconds. */
export const INSERT_MEDIA: Statement = {
  name: 'media.insert',
  text: `
insert into media_objects (id, account_id, task_id, purpose, storage_key, content_type, bytes, sha256, width, height, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, date_trunc('second', now() + make_interval(secs => $11::float8 / 1000)))
returning ${COLUMNS}`,
};

/** Its limits: see the function of the migrations. */
export const RECORD_UPLOAD: Statement = {
  name: 'media.record_upload',
  text: 'select * from record_upload($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
};

export const FIND_EXCEEDED: Statement = {
  name: 'media.find_exceeded',
  text: 'select exceeded_upload_limit($1, $2, $3, $4) as exceeded',
};

export const FIND_MEDIA: Statement = {
  name: 'media.find',
  text: `select ${COLUMNS} from media_objects where id = $1`,
};

/** From the first after the place ($2, $3) on. */
export const FIND_EXPIRED: Statement = {
  name: 'media.find_expired',
  text: `
select id, storage_key as "storageKey", expires_at as "expiresAt" from media_objects
where deleted_at is null and expires_at < now() and (expires_at, id) > ($2::timestamptz, $3)
order by expires_at, id limit $1`,
};

/**
 * Gives back what uploads took of their quotas; locks their counts in the order in which `record_upload` does. An upload of a
 * process from before there were quotas was never counted, so that less may be left than is given back.
 */
export const MARK_DELETED: Statement = {
  name: 'media.mark_deleted',
  text: `
with gone as (
  update media_objects set deleted_at = now() where id = any($1::text[]) and deleted_at is null
  returning account_id, key_id, purpose, bytes
),
freed as materialized (
  select o.owner, sum(g.bytes)::bigint as bytes, count(*)::int as files
  from gone g, lateral (values ('account:' || g.account_id), ('key:' || g.key_id)) as o(owner)
  where g.purpose = 'upload' and o.owner is not null
  group by o.owner
),
locked as materialized (
  select u.owner from storage_usages u where u.owner in (select owner from freed) order by u.owner for update
)
update storage_usages u
set stored_bytes = greatest(u.stored_bytes - f.bytes, 0), stored_files = greatest(u.stored_files - f.files, 0)
from freed f join locked l on l.owner = f.owner
where u.owner = f.owner`,
};

/** Ids sort by the time they were made in, so what is too young ($2 and later) is not even looked at. */
export const PRUNE_MEDIA: Statement = {
  name: 'media.prune',
  text: `
delete from media_objects m using (
  select id from media_objects
  where id < $2 and deleted_at < now() - make_interval(secs => $3::float8 / 1000)
  order by id limit $1 for update skip locked
) old
where m.id = old.id
returning m.id`,
};
