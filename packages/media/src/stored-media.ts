import { Readable } from 'node:stream';
import { type MediaBytes, timeOrderedId } from '@mediagate/contracts';
import {
  DatabaseUnavailableError,
  type MediaPurpose,
  type MediaRow,
  type Owned,
  type StoredFile,
} from '@mediagate/database';
import type { Links } from './links';
import { openUpload } from './media-bytes';
import { extensionOf } from './sniff';
import type { Storage } from './storage/storage';

export interface StoredMedia {
  id: string;
  accountId: string;
  /** The key that the file counts for; an upload's is the key that sent it. */
  keyId: string | undefined;
  taskId: string | undefined;
  purpose: MediaPurpose;
  /** Signed, and the same at every read. */
  url: string;
  contentType: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  width: number | undefined;
  height: number | undefined;
  seconds: number | undefined;
  pages: number | undefined;
  createdAt: Date;
  /** A whole second, the one in the link. */
  expiresAt: Date;
  /** The bytes are gone since then. */
  deletedAt: Date | undefined;
}

export function toStoredMedia(
  {
    storageKey: _,
    keyMakerId: _maker,
    keyId,
    taskId,
    width,
    height,
    seconds,
    pages,
    deletedAt,
    ...row
  }: MediaRow & Partial<Owned>,
  links: Pick<Links, 'sign'>,
): StoredMedia {
  const url = links.sign({ id: row.id, extension: extensionOf(row.contentType), expiresAt: row.expiresAt });
  return {
    ...row,
    url,
    keyId: keyId ?? undefined,
    taskId: taskId ?? undefined,
    width: width ?? undefined,
    height: height ?? undefined,
    seconds: seconds ?? undefined,
    pages: pages ?? undefined,
    deletedAt: deletedAt ?? undefined,
  };
}

export interface MediaToKeep {
  purpose: MediaPurpose;
  /** A file stays where it is: it belongs to whoever made it. */
  bytes: MediaBytes;
  /** The type of the bytes, whatever their sender called them. */
  contentType: string;
  width?: number;
  height?: number;
  lifetimeMs: number;
}

/**
 * Writes the bytes first and the row after: what has a row can be read. Without the row the bytes are removed again, unless the
 * database left open whether it was written.
 *
 * @param record writes the row, or answers one of the same bytes that another process has written.
 */
export async function keepMedia(
  storage: Storage,
  { purpose, bytes, contentType, width, height, lifetimeMs }: MediaToKeep,
  record: (file: Omit<StoredFile, 'accountId'>) => Promise<MediaRow>,
): Promise<MediaRow> {
  const id = timeOrderedId();
  const storageKey = `${purpose}s/${id}.${extensionOf(contentType)}`;
  const { totalBytes, sha256 } = await put(storage, storageKey, { bytes, contentType });
  try {
    const size = { bytes: totalBytes, width: width ?? null, height: height ?? null };
    const row = await record({ id, storageKey, contentType, sha256, lifetimeMs, ...size });
    if (row.storageKey !== storageKey) await storage.remove(storageKey).catch(() => undefined);
    return row;
  } catch (error) {
    // The error of the row is the one to report; an object without a row does no harm but take storage.
    if (!(error instanceof DatabaseUnavailableError)) await storage.remove(storageKey).catch(() => undefined);
    throw error;
  }
}

async function put(storage: Storage, key: string, { bytes, contentType }: Pick<MediaToKeep, 'bytes' | 'contentType'>) {
  const { body, totalBytes, digest } = openUpload(bytes);
  try {
    await storage.put(key, body, { contentType, bytes: totalBytes });
    return { totalBytes, sha256: digest() };
  } finally {
    // A storage that failed may have left the stream half read, with its file open.
    if (body instanceof Readable) body.destroy();
  }
}
