import { GatewayError, message } from '@mediagate/contracts';
import { FILE_MAX_BYTES, withSourceOf } from '@mediagate/media';
import { readProvenance } from '@mediagate/provenance';
import { isFormRequest, readFormFile } from '../../../http/body/multipart-form';
import { untilCallerLeaves } from '../../../http/caller-watch';
import { sendJson } from '../../../http/exchange';
import { Query } from '../../../http/fields/query';
import type { KeyHandler } from '../../../http/route';
import { requireActive } from '../../../use-cases/caller';
import { FILE_FIELD, judgeArrived, saveUpload } from '../../../use-cases/save-upload';
import { describeFile } from './describe-file';

const PROVENANCE = 'provenance';

/** POST /v1/files: a form with `file`, whatever kind it is of. With `include=provenance` what it states about its origin, too. */
export const createFile: KeyHandler = async (call, api) => {
  const { request, response, caller, files } = call;
  if (!isFormRequest(request)) throw new GatewayError('unsupported_media_type', message('send_file'));
  requireActive(caller);
  const query = new Query({ query: { include: request.query['include'] } });
  const isOriginAsked = query.oneOf('include', [PROVENANCE]) !== undefined;
  query.end();
  // The reader of the form refuses a body that is announced as larger than any file.
  files.openUpload(Math.min(FILE_MAX_BYTES, Number(request.headers['content-length'] ?? 0)));
  const { bytes: content } = await readFormFile(call, FILE_FIELD, FILE_MAX_BYTES);
  const { signal } = untilCallerLeaves(call);
  const takeMemory = (bytes: number) => files.takeMemory(bytes);
  const file = await judgeArrived(api, { content, owner: caller, signal, takeMemory });
  const origin = isOriginAsked
    ? { provenance: { sources: await withSourceOf(file.bytes, (source) => readProvenance(source, file.contentType)) } }
    : {};
  const kept = describeFile(await saveUpload(api, caller, file));
  sendJson(response, 200, { code: 200, data: { ...kept, ...origin } });
};
