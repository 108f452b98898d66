import { type ImageRequest, type Json, type JsonObject, type LoadedMedia, message } from '@mediagate/contracts';
import type { CallContext, FileOutline, Lack, StartRequest } from './contract';
import type { Confidential } from './fault-detail';
import { IMAGE_ANSWER_MAX_BYTES } from './http-client';
import { lack } from './lacks';
import { base64Text } from './payload';

/** Images at the highest quality take minutes; the vendors' own clients wait ten. */
const IMAGE_TIMEOUT_SECONDS = 600;

/** The parts of one start of an image job. */
export interface ImageCall {
  attemptId: string;
  image: ImageRequest;
  /** In the caller's order. */
  inputs: LoadedMedia[];
  mask: LoadedMedia | undefined;
  confidential: Confidential;
}

/** @throws TypeError when the request is no image request: a catalogue entry's bug, never a caller's mistake. */
export function readImageCall({ attemptId, request, media }: StartRequest, { endpoint }: CallContext): ImageCall {
  const image = readImageRequest(request);
  return {
    attemptId,
    image,
    inputs: media.filter(({ role }) => role === 'image'),
    mask: media.find(({ role }) => role === 'mask'),
    confidential: { apiKey: endpoint.apiKey, prompt: image.prompt },
  };
}

/** The bounds of one image call; `timeout_seconds` is the channel's option. */
export function imageCallBounds({ endpoint, signal, newFile }: CallContext) {
  const seconds = endpoint.options['timeout_seconds'];
  return {
    endpoint,
    signal,
    newFile,
    timeoutMs: (typeof seconds === 'number' ? seconds : IMAGE_TIMEOUT_SECONDS) * 1000,
    maxResponseBytes: IMAGE_ANSWER_MAX_BYTES,
  };
}

export function dataUri({ contentType, bytes }: LoadedMedia): Json {
  return base64Text(bytes, `data:${contentType};base64,`);
}

export function maskLack(files: readonly FileOutline[]): Lack | undefined {
  const mask = files.find(({ role }) => role === 'mask');
  return mask && lack(message('takes_no_masks'), mask.field);
}

/** The most that goes into one request. */
const INLINE_MEDIA_MAX_BYTES = 96 * 1024 * 1024;

export function inlineLack(files: readonly FileOutline[]): Lack | undefined {
  const total = files.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  return total <= INLINE_MEDIA_MAX_BYTES ? undefined : lack(message('takes_no_files_as_large'), files[0]?.field);
}

export function readImageRequest(request: JsonObject): ImageRequest {
  const { prompt, n, size } = request;
  const sized = size === 'auto' || (typeof size === 'object' && size !== null && ('preset' in size || 'width' in size));
  if (typeof prompt !== 'string' || !Number.isInteger(n) || Number(n) < 1 || !sized) {
    throw new TypeError('not an image request: prompt, n and size are required');
  }
  return request as unknown as ImageRequest;
}
