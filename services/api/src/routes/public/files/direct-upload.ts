import { fileIdOf, GatewayError, mediaIdOf, message, unixSeconds } from '@mediagate/contracts';
import { type DirectUploads, FILE_MAX_BYTES, type MediaStore, type StoredMedia } from '@mediagate/media';
import type { Api } from '../../../api';
import { type Call, sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/handler';
import { readJsonObject } from '../../../http/json-body';
import { untilCallerLeaves } from '../../../http/until-caller-leaves';
import { requireActive } from '../../../use-cases/caller';
import { completeUpload } from '../../../use-cases/complete-upload';
import { invalid, missing } from '../../../use-cases/invalid';
import { refuseBeyond } from '../../../use-cases/save-upload';
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
export const completeFile: KeyHandler = async (call, { mediaStore, judgeArriving }) => {
  requireActive(call.caller);
  const directUploads = requireDirect(mediaStore);
  const id = mediaIdOf(String(call.request.params['file']));
  if (id === undefined) throw unknownFile();
  const file = await complete(id, call, { mediaStore, judgeArriving, directUploads });
  sendJson(call.response, 200, { code: 200, data: describeFile(file) });
};

type Completing = Pick<Api, 'mediaStore' | 'judgeArriving'> & { directUploads: DirectUploads };

async function complete(id: string, call: Call, api: Completing): Promise<StoredMedia> {
  const { caller, memory } = call;
  const waiting = await api.directUploads.find(id, caller);
  const { signal } = untilCallerLeaves(call);
  const completed = waiting && (await completeUpload({ waiting, caller, memory, signal }, api));
  const file = completed ?? (await api.mediaStore.findUpload(id, caller));
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
