import { GatewayError, type MediaBytes, message, unixSeconds } from '@mediagate/contracts';
import {
  type AcceptedFile,
  acceptFile,
  bytesOfInlineFile,
  decodeDataUrl,
  extensionOf,
  type FileLimits,
  MediaError,
  toStillImage,
} from '@mediagate/media';
import { describeBytes } from '../../../http/body/body-bytes';
import { isJsonRequest, readJsonWithFiles } from '../../../http/body/json-body';
import { isFormRequest, readFormFile } from '../../../http/body/multipart-form';
import { type Call, sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { UPLOAD_JSON_MAX_BYTES, UPLOAD_MAX_BYTES } from '../../../request-limits';
import { invalid, missing } from '../../../use-cases/invalid';
import { FILE_FIELD, saveUpload } from '../../../use-cases/save-upload';

const LIMITS = {
  maxBytes: UPLOAD_MAX_BYTES,
  contentTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'],
};
/** Longest file name shown back, in characters. */
const MAX_NAME_CHARACTERS = 255;
const DATA_FIELD = 'data';

/** POST /v1/uploads/images: a form with `file`, or JSON with `data`; answers a link that `image_urls` takes. */
export const uploadImage: KeyHandler = async (call, api) => {
  const { file, filename } = await readUpload(call).catch(refuse);
  const saved = await saveUpload(api, call.caller, file);
  sendJson(call.response, 200, {
    url: saved.url,
    filename: filename ?? new URL(saved.url).pathname.split('/').at(-1),
    content_type: saved.contentType,
    bytes: saved.bytes,
    width: saved.width,
    height: saved.height,
    created_at: unixSeconds(saved.createdAt),
    expires_at: unixSeconds(saved.expiresAt),
  });
};

interface Upload {
  file: AcceptedFile;
  filename: string | undefined;
}

interface SentFile {
  bytes: MediaBytes;
  filename: unknown;
}

async function readUpload(call: Call): Promise<Upload> {
  if (isFormRequest(call.request)) {
    const file = await readFormFile(call, FILE_FIELD, UPLOAD_MAX_BYTES);
    return toUpload(call, { ...LIMITS, field: FILE_FIELD }, file);
  }
  if (isJsonRequest(call.request)) return readUploadJson(call);
  throw new GatewayError('unsupported_media_type', message('send_image'));
}

async function readUploadJson(call: Call): Promise<Upload> {
  const { body, files } = await readJsonWithFiles(call, UPLOAD_JSON_MAX_BYTES);
  const { data, filename } = body;
  if (data === undefined || data === '') throw missing(DATA_FIELD, 'required');
  if (typeof data !== 'string') throw invalid(DATA_FIELD, 'must_be_data_url');
  const limits = { ...LIMITS, field: DATA_FIELD };
  const file = files.get(data);
  const bytes = file ? bytesOfInlineFile(limits, file) : decodeDataUrl({ ...limits, url: data });
  return toUpload(call, limits, { bytes, filename });
}

/** A file that becomes one of another type is called so: the link must do in `image_urls`, and no model reads GIF or AVIF. */
async function toUpload({ files }: Call, limits: FileLimits, { bytes, filename }: SentFile): Promise<Upload> {
  const sent = await acceptFile(limits, bytes);
  const file = await toStillImage(limits, sent, (held) => files.takeMemory(held));
  const name = presentable(filename);
  return { file, filename: file === sent || name === undefined ? name : renamed(name, file.contentType) };
}

function renamed(name: string, contentType: string): string {
  const suffix = `.${extensionOf(contentType)}`;
  return `${name.replace(/\.\w{1,5}$/, '').slice(0, MAX_NAME_CHARACTERS - suffix.length)}${suffix}`;
}

function refuse(error: unknown): never {
  if (!(error instanceof MediaError)) throw error;
  if (error.tooLarge) throw tooLarge();
  throw new GatewayError('invalid_request', error.problem, { reason: 'bad_media', param: error.field });
}

/** The caller's own name for the file, without what a terminal or a page could take for more than a name. */
function presentable(filename: unknown): string | undefined {
  if (typeof filename !== 'string') return undefined;
  const name = filename.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  return name === '' ? undefined : name.slice(0, MAX_NAME_CHARACTERS);
}

function tooLarge(): GatewayError {
  return new GatewayError('body_too_large', message('upload_too_large', { size: describeBytes(UPLOAD_MAX_BYTES) }));
}
