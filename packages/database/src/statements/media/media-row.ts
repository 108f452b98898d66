/**
 * `incoming`: announced by an account and counted against its quota, and not judged yet. `leftover`: counted against nothing; whoever
 * has the link to write it may still do so, and it is removed at its expiry.
 */
export type MediaPurpose = 'result' | 'upload' | 'input' | 'incoming' | 'leftover';

export interface MediaRow {
  id: string;
  accountId: string;
  /** The key that sent it, or whose test made it; null for other results. */
  keyId: string | null;
  taskId: string | null;
  purpose: MediaPurpose;
  storageKey: string;
  contentType: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  seconds: number | null;
  pages: number | null;
  createdAt: Date;
  expiresAt: Date;
  deletedAt: Date | null;
}

/** The columns of `MediaRow`, of the table `media_objects`. */
export const MEDIA_COLUMNS = `id, account_id as "accountId", key_id as "keyId", task_id as "taskId", purpose, storage_key as "storageKey",
  content_type as "contentType", bytes::float8 as bytes, encode(sha256, 'hex') as sha256, width, height, seconds, pages,
  created_at as "createdAt", expires_at as "expiresAt", deleted_at as "deletedAt"`;
