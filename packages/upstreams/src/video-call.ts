import type { JsonObject, VideoRequest } from '@mediagate/contracts';
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

export function readVideoRequest(request: JsonObject): VideoRequest {
  const { resolution, seconds, inputs } = request;
  const lasts = seconds === 'auto' || (Number.isInteger(seconds) && Number(seconds) >= 1);
  if (typeof resolution !== 'string' || !lasts || !Array.isArray(inputs)) {
    throw new TypeError('not a video request: resolution, seconds and inputs are required');
  }
  return request as unknown as VideoRequest;
}
