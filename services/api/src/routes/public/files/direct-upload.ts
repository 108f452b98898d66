import { addAbortSignal } from 'node:stream';
import {
  aboutField,
  fileIdOf,
  GatewayError,
  type MediaBytes,
  mediaIdOf,
  message,
  unixSeconds,
} from '@mediagate/contracts';
import {
  type DirectUploads,
  FILE_MAX_BYTES,
  MediaGoneError,
  type MediaStore,
  type StoredMedia,
  type WaitingUpload,
} from '@mediagate/media';
import type { Api } from '../../../api';
import { readJsonObject } from '../../../http/body/json-body';
import { untilCallerLeaves } from '../../../http/caller-watch';
import { type Call, sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { requireActive } from '../../../use-cases/caller';
import { CallerLeftError } from '../../../use-cases/caller-connection';
import { invalid, missing } from '../../../use-cases/invalid';
import { FILE_FIELD, judgeArrived, refuseBeyond, UPLOAD_LIFETIME_MS } from '../../../use-cases/save-upload';
import { describeFile } from './describe-file';
import { unknownFile } from './file-records';

/** POST /v1/files/presign */
export const announceFile: KeyHandler = async (call, { mediaStore, uploadQuotas }) => {
  requireActive(call.caller);
  const bytes = readBytes((await readJsonObject(call))['bytes']);
  const directUploads = requireDirect(mediaStore);
  mediaStore.health.require();
  const { id: keyId, accountId } = call.caller;
  const quotas = uploadQuotas();
  const announced = await directUploads.announce({ accountId, keyId, bytes, quotas }).catch(refuseBeyond(quotas));
  const { url, headers, linkExpiresAt } = announced;
  sendJson(call.response, 200, {
    code: 200,
    data: { id: fileIdOf(announced.id), method: 'PUT', url, headers, expires_at: unixSeconds(linkExpiresAt) },
  });
};

/** POST /v1/files/{file}/complete */
export const completeFile: KeyHandler = async (call, { mediaStore, prober, maxImageBytes }) => {
  requireActive(call.caller);
  const directUploads = requireDirect(mediaStore);
  const id = mediaIdOf(String(call.request.params['file']));
  if (id === undefined) throw unknownFile();
  const file = await complete(id, call, { mediaStore, prober, maxImageBytes, directUploads });
  sendJson(call.response, 200, { code: 200, data: describeFile(file) });
};

type Completing = Pick<Api, 'mediaStore' | 'prober' | 'maxImageBytes'> & { directUploads: DirectUploads };

async function complete(id: string, call: Call, api: Completing): Promise<StoredMedia> {
  const { caller, files } = call;
  const waiting = await api.directUploads.find(id, caller);
  const { signal } = untilCallerLeaves(call);
  const completed = waiting && (await completeUpload({ waiting, caller, files, signal }, api));
  const file = completed ?? (await api.mediaStore.findUpload(id, caller));
  if (file === undefined) throw unknownFile();
  return file;
}

interface UploadToComplete extends Pick<Call, 'caller' | 'files'> {
  waiting: WaitingUpload;
  signal: AbortSignal;
}

/**
 * Brings what a caller has written into the storage, judges it like any other file and keeps it. One that is refused is given up;
 * one that could not be judged for now stays, and can be completed later. Undefined: another request has done so meanwhile.
 *
 * @throws GatewayError `conflict` (nothing was written yet), and where there is no room for the file. StorageUnavailableError.
 */
async function completeUpload(upload: UploadToComplete, api: Completing): Promise<StoredMedia | undefined> {
  const { waiting, caller: owner, files, signal } = upload;
  const { directUploads } = api;
  try {
    const content = await bring(upload, directUploads);
    const file = await judgeArrived(api, { content, owner, signal, takeMemory: (bytes) => files.takeMemory(bytes) });
    return await directUploads.complete(waiting, file, { lifetimeMs: UPLOAD_LIFETIME_MS });
  } catch (error) {
    if (error instanceof MediaGoneError) return undefined;
    if (isRefusal(error)) await directUploads.release(waiting);
    throw signal.aborted ? new CallerLeftError() : error;
  }
}

async function bring(
  { waiting, files, signal }: UploadToComplete,
  directUploads: Pick<DirectUploads, 'open'>,
): Promise<MediaBytes> {
  files.openUpload(waiting.bytes);
  const written = await directUploads.open(waiting);
  if (written === undefined)
    throw new GatewayError('conflict', message('upload_missing'), { reason: 'upload_missing' });
  const file = files.newFile();
  for await (const chunk of addAbortSignal(signal, written)) {
    const bytes = file.size + chunk.length;
    if (bytes > waiting.bytes) throw wrongSize(bytes, waiting.bytes);
    file.push(chunk);
    await files.backlog();
  }
  if (file.size !== waiting.bytes) throw wrongSize(file.size, waiting.bytes);
  return file.end();
}

function wrongSize(bytes: number, announced: number): GatewayError {
  const problem = aboutField(FILE_FIELD, message('upload_size', { bytes, announced }));
  return new GatewayError('invalid_request', problem, { reason: 'bad_media', param: FILE_FIELD });
}

/** It is the file that cannot be used. */
function isRefusal(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === 'invalid_request' || error.code === 'body_too_large');
}

function requireDirect({ directUploads }: Pick<MediaStore, 'directUploads'>): DirectUploads {
  if (directUploads) return directUploads;
  const reason = 'direct_upload_unavailable';
  throw new GatewayError('conflict', message(reason, { path: 'POST /v1/files' }), { reason });
}

function readBytes(bytes: unknown): number {
  if (bytes === undefined) throw missing('bytes', 'required');
  if (typeof bytes !== 'number' || !Number.isInteger(bytes)) throw invalid('bytes', 'must_be_integer');
  if (bytes < 1 || bytes > FILE_MAX_BYTES) throw invalid('bytes', 'must_be_in_range', { min: 1, max: FILE_MAX_BYTES });
  return bytes;
}
