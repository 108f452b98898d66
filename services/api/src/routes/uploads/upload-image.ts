import { GatewayError } from '@mediagate/contracts';
import { DataUrlError, ImageError, inspectImage, parseDataUrl, sniff } from '@mediagate/media';
import { describeBytes } from '../../http/body-bytes';
import { type Call, sendJson } from '../../http/exchange';
import { isJsonRequest, readJsonObject } from '../../http/json-body';
import { type FormLimits, isFormRequest, readForm } from '../../http/multipart-form';
import { UPLOAD_JSON_MAX_BYTES, UPLOAD_MAX_BYTES } from '../../request-limits';
import type { ReceivedImage, SaveUpload } from '../../use-cases/save-upload';

export interface UploadDeps {
  saveUpload: SaveUpload;
}

const CONTENT_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
/** Longest file name shown back, in characters. */
const MAX_NAME_CHARACTERS = 255;
const FILE_FIELD = 'file';
/** Room for the parts' headers and boundaries. */
const FORM_OVERHEAD_BYTES = 64 * 1024;
const FORM_LIMITS: FormLimits = {
  maxBytes: UPLOAD_MAX_BYTES + FORM_OVERHEAD_BYTES,
  maxFiles: 4,
  fileMaxBytes: (field) => (field === FILE_FIELD ? UPLOAD_MAX_BYTES : undefined),
};
/** POST /v1/uploads/images: a form with `file`, or JSON with `data`; answers a link that `image_urls` takes. */
export function createUploadImage({ saveUpload }: UploadDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const { bytes, filename } = await readUpload(call);
    const saved = await saveUpload(call.caller.accountId, await look(bytes));
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
}

interface Upload {
  bytes: Buffer;
  filename: string | undefined;
}

async function readUpload(call: Call): Promise<Upload> {
  if (isFormRequest(call.request)) return readUploadForm(call);
  if (isJsonRequest(call.request)) return readUploadJson(call);
  throw new GatewayError('unsupported_media_type', 'Send the image as multipart/form-data or application/json.');
}

async function readUploadForm(call: Call): Promise<Upload> {
  const { files } = await readForm(call, FORM_LIMITS);
  const [file] = files;
  if (!file) throw invalid(FILE_FIELD, 'is required: send the image as a file in this form field');
  if (files.length > 1) throw invalid(FILE_FIELD, 'must be given only once');
  return { bytes: file.bytes, filename: presentable(file.filename) };
}

async function readUploadJson(call: Call): Promise<Upload> {
  const { data, filename } = await readJsonObject(call, UPLOAD_JSON_MAX_BYTES);
  if (data === undefined || data === '') throw invalid('data', 'is required');
  if (typeof data !== 'string') throw invalid('data', 'must be a data URL');
  if (decodedBytes(data) > UPLOAD_MAX_BYTES) throw tooLarge();
  try {
    const { bytes } = parseDataUrl(data, { maxBytes: UPLOAD_MAX_BYTES, contentTypes: CONTENT_TYPES });
    return { bytes, filename: presentable(filename) };
  } catch (error) {
    throw error instanceof DataUrlError ? new GatewayError('invalid_request', `data: ${error.message}`) : error;
  }
}

/** How long a data URL's content is, known before a byte is decoded: four characters carry three bytes. */
function decodedBytes(dataUrl: string): number {
  const encoded = dataUrl.length - dataUrl.indexOf(',') - 1;
  const padding = dataUrl.endsWith('==') ? 2 : dataUrl.endsWith('=') ? 1 : 0;
  return Math.floor((encoded * 3) / 4) - padding;
}

/** What the picture is, by its bytes and never by its name. */
async function look(bytes: Buffer): Promise<ReceivedImage> {
  const contentType = sniff(bytes)?.contentType ?? 'of an unknown type';
  if (!CONTENT_TYPES.includes(contentType)) {
    throw invalid('file', `is ${contentType}; accepted are ${CONTENT_TYPES.join(', ')}`);
  }
  try {
    const { width, height } = await inspectImage(bytes);
    return { bytes, contentType, width, height };
  } catch (error) {
    throw error instanceof ImageError ? new GatewayError('invalid_request', error.message) : error;
  }
}

/** The caller's own name for the file, without what a terminal or a page could take for more than a name. */
function presentable(filename: unknown): string | undefined {
  if (typeof filename !== 'string') return undefined;
  const name = filename.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  return name === '' ? undefined : name.slice(0, MAX_NAME_CHARACTERS);
}

function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function tooLarge(): GatewayError {
  return new GatewayError('body_too_large', `The image is larger than ${describeBytes(UPLOAD_MAX_BYTES)}.`);
}

function invalid(param: string, demand: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${demand}`, { param });
}
