import type { SharedStatement, Statement } from '../../statement';
import { MEDIA_COLUMNS, type MediaPurpose, type MediaRow } from './media-row';

export interface StoredFile {
  id: string;
  accountId: string;
  storageKey: string;
  contentType: string;
  bytes: number;
  sha256: Buffer;
  width: number | null;
  height: number | null;
  lifetimeMs: number;
}

export interface NewMedia extends StoredFile {
  taskId: string | null;
  purpose: MediaPurpose;
  /** The key whose quota and whose account's it counts against; null: it counts against none. */
  keyId: string | null;
}

/**
 * Writes the row of a file whose bytes are in the storage. The expiry is cut to a whole second, because links and records tell it in seconds.
 * Counts are locked in the order in which `keep_upload` does.
 */
export const insertMedia: SharedStatement<[media: NewMedia], MediaRow> = {
  text: `
with files as materialized (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::int[],
      $10::int[], $11::float8[], $12::text[])
    as i(id, account_id, task_id, purpose, storage_key, content_type, bytes, sha256, width, height, life_ms, key_id)
),
counted as (
  insert into storage_usages as u (owner, day, stored_bytes, stored_files)
  select o.owner, (now() at time zone 'utc')::date, sum(f.bytes)::bigint, count(*)::int
  from files f, lateral (values ('account:' || f.account_id), ('key:' || f.key_id)) as o(owner)
  where f.key_id is not null
  group by o.owner order by o.owner
  on conflict (owner) do update
  set stored_bytes = u.stored_bytes + excluded.stored_bytes, stored_files = u.stored_files + excluded.stored_files
)
insert into media_objects (id, account_id, task_id, purpose, storage_key, content_type, bytes, sha256, width, height, expires_at, key_id)
select f.id, f.account_id, f.task_id, f.purpose, f.storage_key, f.content_type, f.bytes, decode(f.sha256, 'hex'), f.width, f.height,
  date_trunc('second', now() + make_interval(secs => f.life_ms / 1000)), f.key_id
from files f
returning ${MEDIA_COLUMNS}`,
  values: (calls) => [
    calls.map(([{ id }]) => id),
    calls.map(([{ accountId }]) => accountId),
    calls.map(([{ taskId }]) => taskId),
    calls.map(([{ purpose }]) => purpose),
    calls.map(([{ storageKey }]) => storageKey),
    calls.map(([{ contentType }]) => contentType),
    calls.map(([{ bytes }]) => bytes),
    calls.map(([{ sha256 }]) => sha256.toString('hex')),
    calls.map(([{ width }]) => width),
    calls.map(([{ height }]) => height),
    calls.map(([{ lifetimeMs }]) => lifetimeMs),
    calls.map(([{ keyId }]) => keyId),
  ],
  shared: { tally: 'media', callId: ({ id }) => id, rowId: ({ id }) => id },
};

export interface NewInput extends StoredFile {
  keyId: string;
  taskId: string;
}

export interface InputLimits {
  accountBytes: number;
  /** Then of at most 10,000 files; absent: neither counts. */
  keyBytes?: number;
}

/** The function `keep_task_input`: the file as another process has stored it, if one has. No row: they would be more than the limits. */
export const insertTaskInput: Statement<[input: NewInput, limits: InputLimits], MediaRow> = {
  text: `select ${MEDIA_COLUMNS} from keep_task_input($1, $2)`,
  values: (input, { accountBytes, keyBytes }) => [
    JSON.stringify({ ...columnsOf(input), key_id: input.keyId, task_id: input.taskId, max_key_bytes: keyBytes }),
    accountBytes,
  ],
};

/** Whether files for vendors would take more than the limits of their account or key with so many bytes more. */
export const areInputsFull: Statement<
  [owner: Pick<NewInput, 'accountId' | 'keyId'>, bytes: number, limits: Required<InputLimits>],
  { full: boolean }
> = {
  text: `
select coalesce((select stored_bytes from storage_usages where owner = 'inputs:' || $1), 0) + $3::bigint > $4::bigint
  or (select count(*) >= 10000 or coalesce(sum(l.bytes), 0) + $3::bigint > $5::bigint from (
    select bytes from media_objects where key_id = $2 and purpose = 'input' and deleted_at is null limit 10000) l)
  as "full"`,
  values: ({ accountId, keyId }, bytes, limits) => [accountId, keyId, bytes, limits.accountBytes, limits.keyBytes],
};

/** Limits of account and key, in the order of `exceeded_upload_limit`. */
type Limits = readonly number[];

export interface NewUpload extends StoredFile {
  keyId: string;
  purpose: 'upload' | 'incoming';
  seconds: number | null;
  pages: number | null;
}

/** The function `keep_upload`. `exceeded`: the limit that forbade it; nothing was written. */
export const keepUpload: Statement<
  [upload: NewUpload, limits: Limits],
  { exceeded: string | null; created: Date; expires: Date }
> = {
  text: 'select * from keep_upload($1, $2)',
  values: (upload, limits) => [
    JSON.stringify({
      ...columnsOf(upload),
      key_id: upload.keyId,
      purpose: upload.purpose,
      seconds: upload.seconds,
      pages: upload.pages,
    }),
    limits,
  ],
};

export interface UploadOwner {
  accountId: string;
  keyId: string;
}

export const findExceededLimit: Statement<
  [owner: UploadOwner, bytes: number, limits: Limits],
  { exceeded: string | null }
> = {
  text: 'select exceeded_upload_limit($1, $2, $3, $4) as exceeded',
  values: ({ accountId, keyId }, bytes, limits) => [accountId, keyId, bytes, limits],
};

/** Columns as `keep_upload` and `keep_task_input` take them. */
function columnsOf(file: StoredFile) {
  return {
    id: file.id,
    account_id: file.accountId,
    storage_key: file.storageKey,
    content_type: file.contentType,
    bytes: file.bytes,
    sha256: file.sha256.toString('hex'),
    width: file.width,
    height: file.height,
    life_ms: file.lifetimeMs,
  };
}
