import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { aboutField, type FileOnDisk, GatewayError, message } from '@mediagate/contracts';
import { type DirectUploads, MediaGoneError, type StoredMedia, type WaitingUpload } from '@mediagate/media';
import type { Caller } from './caller';
import { FILE_FIELD, type JudgeArriving, type SharedBytes } from './keep-file';
import { UPLOAD_LIFETIME_MS } from './save-upload';

export interface CompleteUploadDeps {
  directUploads: DirectUploads;
  judgeArriving: JudgeArriving;
}

export interface UploadToComplete {
  waiting: WaitingUpload;
  caller: Caller;
  memory: SharedBytes;
  signal: AbortSignal;
}

/**
 * Brings what a caller has written into the storage, judges it like any other file and keeps it. One that is refused is given up;
 * one that could not be judged for now stays, and can be completed later. Undefined: another request has done so meanwhile.
 *
 * @throws GatewayError `conflict` (nothing was written yet), and what `judgeArriving` throws.
 */
export async function completeUpload(
  { waiting, caller, memory, signal }: UploadToComplete,
  { directUploads, judgeArriving }: CompleteUploadDeps,
): Promise<StoredMedia | undefined> {
  try {
    return await judgeArriving({
      caller,
      memory,
      signal,
      announcedBytes: waiting.bytes,
      receive: (path) => bring(waiting, { path, signal, directUploads }),
      keep: (file) => directUploads.complete(waiting, file, { lifetimeMs: UPLOAD_LIFETIME_MS }),
    });
  } catch (error) {
    if (error instanceof MediaGoneError) return undefined;
    if (isRefusal(error)) await directUploads.release(waiting);
    throw error;
  }
}

interface Target {
  path: string;
  signal: AbortSignal;
  directUploads: DirectUploads;
}

async function bring(waiting: WaitingUpload, { path, signal, directUploads }: Target): Promise<FileOnDisk> {
  const written = await directUploads.open(waiting);
  if (written === undefined)
    throw new GatewayError('conflict', message('upload_missing'), { reason: 'upload_missing' });
  let totalBytes = 0;
  async function* counted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      totalBytes += chunk.length;
      if (totalBytes > waiting.bytes) throw wrongSize(totalBytes, waiting.bytes);
      yield chunk;
    }
  }
  await pipeline(written, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  if (totalBytes !== waiting.bytes) throw wrongSize(totalBytes, waiting.bytes);
  return { path, totalBytes };
}

function wrongSize(bytes: number, announced: number): GatewayError {
  const problem = aboutField(FILE_FIELD, message('upload_size', { bytes, announced }));
  return new GatewayError('invalid_request', problem, { reason: 'bad_media', param: FILE_FIELD });
}

/** It is the file that cannot be used. */
function isRefusal(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === 'invalid_request' || error.code === 'body_too_large');
}
