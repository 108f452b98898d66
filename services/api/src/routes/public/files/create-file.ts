import { GatewayError, message } from '@mediagate/contracts';
import { FILE_MAX_BYTES } from '@mediagate/media';
import { sendJson } from '../../../http/exchange';
import { receiveFile } from '../../../http/file-form';
import type { KeyHandler } from '../../../http/handler';
import { isFormRequest } from '../../../http/multipart-form';
import { untilCallerLeaves } from '../../../http/until-caller-leaves';
import { requireActive } from '../../../use-cases/caller';
import { FILE_FIELD } from '../../../use-cases/keep-file';
import { saveUpload } from '../../../use-cases/save-upload';
import { describeFile } from './describe-file';

/** POST /v1/files: a form with `file`, whatever kind it is of. */
export const createFile: KeyHandler = async (call, api) => {
  if (!isFormRequest(call.request)) throw new GatewayError('unsupported_media_type', message('send_file'));
  const { caller, memory, response } = call;
  requireActive(caller);
  const kept = await api.judgeArriving({
    caller,
    memory,
    signal: untilCallerLeaves(call).signal,
    // The reader of the form refuses a body that is announced as larger than any file.
    announcedBytes: Math.min(FILE_MAX_BYTES, Number(call.request.headers['content-length'] ?? 0)),
    receive: (path, take) => receiveFile(call, { field: FILE_FIELD, path, maxBytes: FILE_MAX_BYTES, take }),
    keep: (file) => saveUpload(api, caller, file),
  });
  sendJson(response, 200, { code: 200, data: describeFile(kept) });
};
