import type { JsonObject, LoadedMedia, VideoRequest } from '@mediagate/contracts';
import type { CallContext, StartRequest } from './contract';
import type { Confidential } from './fault-detail';

/** One video start, taken apart. */
export interface VideoCall {
  attemptId: string;
  video: VideoRequest;
  confidential: Confidential;
}

/** @throws TypeError when the request is no video request: a catalogue entry's bug, never a caller's mistake. */
export function readVideoCall({ attemptId, request }: StartRequest, { endpoint }: CallContext): VideoCall {
  const video = readVideoRequest(request);
  return { attemptId, video, confidential: { apiKey: endpoint.apiKey, prompt: wordsOf(video) } };
}

/** All that the caller wrote. */
function wordsOf({ prompt, negativePrompt, shots, elements = [] }: VideoRequest): string {
  const shotPrompts = typeof shots === 'object' ? shots.map((shot) => shot.prompt) : [];
  const descriptions = elements.map(({ description }) => description);
  return [prompt, negativePrompt, ...shotPrompts, ...descriptions].filter((words) => words !== undefined).join('\n');
}

/** The prompt for vendors that insist on one, where a caller leaves the words to the image. */
export const WORDLESS = 'Bring this to life.';

/** A file that goes in the request itself, as base64. */
export interface InlineFile {
  contentType: string;
  base64: string;
}

/** An input's file, where it was loaded or stands in the request in place of its address. */
export function inlineFile(url: string, file: LoadedMedia | undefined): InlineFile | undefined {
  if (file !== undefined && file.bytes.length > 0) {
    return { contentType: file.contentType, base64: file.bytes.toString('base64') };
  }
  const [head = '', contentType = ''] =
    /^data:([a-z]+\/[a-z0-9.+-]+);base64,/.exec(url.slice(0, DATA_URL_HEAD_MAX)) ?? [];
  return head === '' ? undefined : { contentType, base64: url.slice(head.length) };
}

const DATA_URL_HEAD_MAX = 200;

export function readVideoRequest(request: JsonObject): VideoRequest {
  const { resolution, seconds, inputs } = request;
  const lasts = seconds === 'auto' || (Number.isInteger(seconds) && Number(seconds) >= 1);
  if (typeof resolution !== 'string' || !lasts || !Array.isArray(inputs)) {
    throw new TypeError('not a video request: resolution, seconds and inputs are required');
  }
  return request as unknown as VideoRequest;
}
