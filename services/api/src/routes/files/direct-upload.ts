import { fileIdOf, GatewayError, mediaIdOf, message, unixSeconds } from '@mediagate/contracts';
import {
  type DirectUploads,
  FILE_MAX_BYTES,
  type MediaStore,
  type StoredMedia,
  type UploadQuotas,
} from '@mediagate/media';
import { type Call, sendJson } from '../../http/exchange';
import { readJsonObject } from '../../http/json-body';
import { untilCallerLeaves } from '../../http/until-caller-leaves';
import { requireActive } from '../../use-cases/caller';
import { completeUpload } from '../../use-cases/complete-upload';
import { invalid, missing } from '../../use-cases/invalid';
import type { JudgeArriving } from '../../use-cases/keep-file';
import { refuseBeyond } from '../../use-cases/save-upload';
import { describeFile } from './describe-file';
import { unknownFile } from './file-records';

export interface DirectUploadDeps {
  mediaStore: Pick<MediaStore, 'directUploads' | 'findUpload' | 'health'>;
  judgeArriving: JudgeArriving;
  uploadQuotas(): UploadQuotas;
}

/** POST /v1/files/presign */
export function createAnnounceFile({ mediaStore, uploadQuotas }: DirectUploadDeps): (call: Call) => Promise<void> {
  return async (call) => {
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
}

/** POST /v1/files/{file}/complete */
export function createCompleteFile({ mediaStore, judgeArriving }: DirectUploadDeps): (call: Call) => Promise<void> {
  return async (call) => {
    requireActive(call.caller);
    const directUploads = requireDirect(mediaStore);
    const id = mediaIdOf(String(call.request.params['file']));
    if (id === undefined) throw unknownFile();
    const file = await complete(id, call, { mediaStore, judgeArriving, directUploads });
    sendJson(call.response, 200, { code: 200, data: describeFile(file) });
  };
}

interface CompleteDeps extends Pick<DirectUploadDeps, 'mediaStore' | 'judgeArriving'> {
  directUploads: DirectUploads;
}

async function complete(id: string, call: Call, deps: CompleteDeps): Promise<StoredMedia> {
  const { caller, memory } = call;
  const waiting = await deps.directUploads.find(id, caller);
  const { signal } = untilCallerLeaves(call);
  const completed = waiting && (await completeUpload({ waiting, caller, memory, signal }, deps));
  const file = completed ?? (await deps.mediaStore.findUpload(id, caller));
  if (file === undefined) throw unknownFile();
  return file;
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
