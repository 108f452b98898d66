import type { Connection } from './connection.ts';
import { dataOf } from './data-of.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { FileLink, FileOrigin, FileRecord } from './types.ts';

/** The gateway goes by the bytes, not by a name. A stream is read to its end before anything is sent. */
export type FileContent = Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;

interface Abortable {
  signal?: AbortSignal | undefined;
}

/** From this size on the bytes go to the storage, where the gateway has a link for that. */
const LARGE_BYTES = 8 * 1024 * 1024;
/** The gateway gives up a form that comes more slowly. */
const LEAST_BYTES_PER_MS = 16.384;
/** A link opens for no longer. */
const LINK_MS = 1_800_000;
/** The gateway reads the file from its storage first. */
const JUDGE_MS = 60_000;

/** Keeps a file. A large one goes straight to the storage where that is possible, else through the gateway in a form. */
export async function uploadFile(
  connection: Connection,
  content: FileContent,
  { signal }: Abortable = {},
): Promise<FileRecord> {
  const file = content instanceof Blob ? content : await read(content);
  const link = file.size < LARGE_BYTES ? undefined : await announce(connection, file, signal);
  const isSent = link !== undefined && (await send(connection, file, { link, signal }));
  const kept = isSent ? { path: `/v1/files/${link.id}/complete`, waitMs: JUDGE_MS } : formOf(file);
  return dataOf(connection.ask({ method: 'POST', signal, ...kept }));
}

/** Asks about a file, which goes through the gateway in a form, or about one at a URL. */
export async function verifyFile(
  connection: Connection,
  content: FileContent | { url: string },
  { signal }: Abortable = {},
): Promise<FileOrigin> {
  const path = '/v1/provenance/verify';
  const isUrl = typeof content === 'object' && 'url' in content && typeof content.url === 'string';
  if (isUrl)
    return dataOf(connection.ask({ method: 'POST', path, body: { url: content.url }, waitMs: JUDGE_MS, signal }));
  const bytes = content as FileContent;
  const file = bytes instanceof Blob ? bytes : await read(bytes);
  return dataOf(connection.ask({ method: 'POST', signal, ...formOf(file), path }));
}

function read(content: Exclude<FileContent, Blob>): Promise<Blob> {
  // Wherever the bytes lie: not all versions of TypeScript tell the kinds of memory apart.
  return new Response(content as ArrayBuffer | ReadableStream).blob();
}

/** Undefined: the gateway keeps files on its own disk. */
async function announce(connection: Connection, { size: bytes }: Blob, signal: AbortSignal | undefined) {
  try {
    const call = { method: 'POST', path: '/v1/files/presign', body: { bytes }, signal } as const;
    return await dataOf(connection.ask<{ data: FileLink }>(call));
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'direct_upload_unavailable') return undefined;
    throw error;
  }
}

/** False: the storage cannot be reached from here, or does not let this page in. */
async function send(
  connection: Connection,
  body: Blob,
  { link: { method, url: path, headers }, signal }: Abortable & { link: FileLink },
): Promise<boolean> {
  // `fetch` writes the length itself, and lets nobody else.
  const { 'content-length': _length, ...others } = headers;
  try {
    await connection.ask({ method, path, headers: others, body, waitMs: LINK_MS, retries: 1, signal });
    return true;
  } catch (error) {
    if (error instanceof ConnectionError) return false;
    throw error;
  }
}

function formOf(file: Blob) {
  const body = new FormData();
  body.append('file', file);
  return { path: '/v1/files', body, waitMs: JUDGE_MS + Math.ceil(file.size / LEAST_BYTES_PER_MS) };
}
