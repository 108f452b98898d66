import type { JsonObject, VideoRequest } from '@mediagate/contracts';
import type { OptionRules } from './channel-options';
import type { CallContext, Endpoint, StartRequest } from './contract';
import type { Confidential } from './fault-detail';

/** Vendors of video answer a start or a question at once; the work itself is never waited for. */
const CALL_TIMEOUT_SECONDS = 60;
/** Answers hold links and figures, no media. */
const ANSWER_MAX_BYTES = 1024 * 1024;

/** Of every video protocol. `max_check_seconds`: the longest pause between two questions about one job. */
export const VIDEO_OPTIONS = {
  timeout_seconds: { kind: 'integer', min: 1, max: 600 },
  max_check_seconds: { kind: 'integer', min: 1, max: 600 },
} as const satisfies OptionRules;

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

/** The bounds of one call; `timeout_seconds` is the channel's option. */
export function videoCallBounds({ endpoint, signal }: CallContext) {
  const seconds = endpoint.options['timeout_seconds'];
  return {
    signal,
    timeoutMs: (typeof seconds === 'number' ? seconds : CALL_TIMEOUT_SECONDS) * 1000,
    maxResponseBytes: ANSWER_MAX_BYTES,
  };
}

export function bearer({ apiKey }: Endpoint): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` };
}

/** All that the caller wrote. */
function wordsOf({ prompt, negativePrompt, shots, elements = [] }: VideoRequest): string {
  const shotPrompts = typeof shots === 'object' ? shots.map((shot) => shot.prompt) : [];
  const descriptions = elements.map(({ description }) => description);
  return [prompt, negativePrompt, ...shotPrompts, ...descriptions].filter((words) => words !== undefined).join('\n');
}

function readVideoRequest(request: JsonObject): VideoRequest {
  const { resolution, seconds, inputs } = request;
  const lasts = seconds === 'auto' || (Number.isInteger(seconds) && Number(seconds) >= 1);
  if (typeof resolution !== 'string' || !lasts || !Array.isArray(inputs)) {
    throw new TypeError('not a video request: resolution, seconds and inputs are required');
  }
  return request as unknown as VideoRequest;
}
