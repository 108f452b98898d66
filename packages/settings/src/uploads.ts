import { type Cursor, readFields } from './cursor';
import { readInteger } from './scalars';
import type { Settings, UploadQuota } from './settings';

const MEGABYTE = 1_000_000;
const MAX_MEGABYTES = 1_000_000_000;
const MAX_FILES = 1_000_000_000;

/** In megabytes and files; an account may have what a few busy keys take. */
const KEY_QUOTA = { stored: 5_000, daily: 10_000 };
const ACCOUNT_QUOTA = { stored: 20_000, daily: 40_000 };

/** How much callers may upload: at once, until it expires, and in a day. */
export function readUploads(cursor: Cursor): Settings['uploads'] {
  const fields = readFields(cursor, ['per_account', 'per_key']);
  return { account: readQuota(fields.per_account, ACCOUNT_QUOTA), key: readQuota(fields.per_key, KEY_QUOTA) };
}

function readQuota(cursor: Cursor, { stored, daily }: typeof KEY_QUOTA): UploadQuota {
  const fields = readFields(cursor, ['stored_mb', 'stored_files', 'daily_mb', 'daily_files']);
  const megabytes = (field: Cursor, fallback: number) =>
    readInteger(field, { minimum: 0, maximum: MAX_MEGABYTES, fallback }) * MEGABYTE;
  const files = (field: Cursor, fallback: number) => readInteger(field, { minimum: 0, maximum: MAX_FILES, fallback });
  return {
    storedBytes: megabytes(fields.stored_mb, stored),
    storedFiles: files(fields.stored_files, stored),
    dayBytes: megabytes(fields.daily_mb, daily),
    dayFiles: files(fields.daily_files, daily),
  };
}
