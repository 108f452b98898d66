import { GatewayError, mediaIdOf, message } from '@mediagate/contracts';
import { readPage } from '@mediagate/database';
import type { MediaStore, StoredMedia } from '@mediagate/media';
import { type Call, sendJson } from '../../../http/exchange';
import { readPageQuery, sendPage } from '../../../http/fields/page';
import type { KeyHandler } from '../../../http/route';
import { requireManage } from '../../../use-cases/caller';
import { describeFile } from './describe-file';

const LIST = 'files';
const MEDIA_ID = /^[0-9a-z]{26}$/;

/** GET /v1/files: those that the key sees, the newest first. */
export const listFiles: KeyHandler = async ({ request, response, caller }, { mediaStore }) => {
  const { query, limit, place: before } = readPageQuery(request, LIST, (text) => MEDIA_ID.test(text));
  query.end();
  const page = await readPage<StoredMedia>(limit, (rows) => mediaStore.listUploads(caller, { before, limit: rows }));
  sendPage(response, LIST, page, describeFile);
};

/** GET /v1/files/{file} */
export const getFileRecord: KeyHandler = async (call, { mediaStore }) => {
  const file = await findFileRecord(call, mediaStore);
  sendJson(call.response, 200, { code: 200, data: describeFile(file) });
};

/** DELETE /v1/files/{file}: by the key that sent it, or one that may manage. Of several at once each answers 200, and the quota is given back once. */
export const deleteFile: KeyHandler = async (call, { mediaStore }) => {
  const file = await findFileRecord(call, mediaStore);
  if (file.keyId !== call.caller.id) requireManage(call.caller);
  await mediaStore.remove(file.id);
  sendJson(call.response, 200, { code: 200, data: { id: call.request.params['file'], deleted: true } });
};

/** @throws GatewayError `not_found`, also for one that has expired or was deleted. */
async function findFileRecord(
  { request, caller }: Call,
  mediaStore: Pick<MediaStore, 'findUpload'>,
): Promise<StoredMedia> {
  const id = mediaIdOf(String(request.params['file']));
  const file = id === undefined ? undefined : await mediaStore.findUpload(id, caller);
  const isThere = file?.deletedAt === undefined && (file?.expiresAt.getTime() ?? 0) > Date.now();
  if (file === undefined || !isThere) throw unknownFile();
  return file;
}

export function unknownFile(): GatewayError {
  return new GatewayError('not_found', message('file_not_found'));
}
