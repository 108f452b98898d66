import type { Call, JsonObject } from '../vendor-call/contract';
import type { Fields, Of } from '../vendor-call/shape';
import type { VideoFamily } from './account';
import type { VideoRequest } from './video-order';
import { compileBody, invalidParameter, longOrInteger } from './wire';

const DEFAULT_SECONDS = 5;
const MAX_IMAGE_BYTES = 50 * 1024 * 1024;

const prompt = { type: 'string', minLength: 1, maxLength: 3_072 } as const;
const general = {
  settings: {
    type: 'object',
    properties: {
      multi_shot: { type: 'boolean' },
      audio: { enum: ['native', 'off'] },
      resolution: { enum: ['720p', '1080p', '4k'] },
      aspect_ratio: { enum: ['16:9', '9:16', '1:1'] },
      duration: { type: 'integer', minimum: 3, maximum: 15 },
    },
  },
  options: {
    type: 'object',
    properties: {
      callback_url: { type: 'string' },
      external_task_id: { type: 'string', minLength: 1 },
      watermark_info: { type: 'object', properties: { enabled: { type: 'boolean' } } },
    },
  },
} as const;
const contents = {
  type: 'array',
  minItems: 1,
  maxItems: 12,
  items: {
    type: 'object',
    required: ['type'],
    properties: {
      type: { enum: ['prompt', 'first_frame', 'last_frame', 'element'] },
      text: prompt,
      url: { type: 'string', minLength: 1 },
      element_id: { ...longOrInteger, type: ['object', 'string', 'integer'] },
    },
  },
} as const;

type CurrentBody = Fields<typeof general & { prompt: typeof prompt; contents: typeof contents }>;
type Content = Of<typeof contents>[number];

const checks: Record<VideoFamily, (body: JsonObject, call: Call) => CurrentBody> = {
  text2video: compileBody({ ...general, prompt }, ['prompt']),
  image2video: compileBody({ ...general, contents }, ['contents']),
  'omni-video': compileBody({ ...general, contents }, ['contents']),
};

const modes = { '720p': 'std', '1080p': 'pro', '4k': '4k' } as const;

/** A body of `/text-to-video/kling-3.0` and its like as a request; throws the vendor's refusals. */
export function readCurrentRequest(
  { family, model }: { family: VideoFamily; model: string },
  body: JsonObject,
  call: Call,
): VideoRequest {
  const request = checks[family](body, call);
  const { settings = {}, options = {} } = request;
  const parts = request.contents ?? [];
  const words = request.prompt ?? one(parts, 'prompt', call)?.text ?? '';
  const seconds = settings.duration ?? DEFAULT_SECONDS;
  const [first, last] = [one(parts, 'first_frame', call), one(parts, 'last_frame', call)];
  const elements = parts.filter(({ type }) => type === 'element');
  const refuse = (message: string) => invalidParameter(message, call.requestId);
  if (family === 'image2video' && !first) throw refuse('contents needs a first_frame');
  if (family === 'omni-video' && words === '') throw refuse('contents needs a prompt');
  if (elements.length > 3) throw refuse('contents takes at most 3 elements');
  if (settings.multi_shot ?? true) checkShots(words, { seconds, refuse });
  return {
    family,
    model,
    prompt: words,
    mode: modes[settings.resolution ?? '720p'],
    seconds,
    maxImageBytes: MAX_IMAGE_BYTES,
    sound: settings.audio === 'native',
    aspectRatio: settings.aspect_ratio ?? '16:9',
    firstFrame: first && { field: 'first_frame', value: linkOf(first, refuse) },
    lastFrame: last && { field: 'last_frame', value: linkOf(last, refuse) },
    otherImages: [],
    elementIds: elements.map(({ element_id: id }) => {
      if (id === undefined) throw refuse('an element needs its element_id');
      return typeof id === 'object' ? id.long : String(id);
    }),
    marked: options.watermark_info?.enabled ?? false,
    externalTaskId: options.external_task_id,
  };
}

function one(parts: Content[], type: Content['type'], { requestId }: Call): Content | undefined {
  const [found, second] = parts.filter((part) => part.type === type);
  if (second) throw invalidParameter(`contents takes one ${type}`, requestId);
  return found;
}

function linkOf({ type, url }: Content, refuse: (message: string) => Error): string {
  if (url === undefined) throw refuse(`${type} needs its url`);
  return url;
}

const MAX_SHOTS = 6;
const MAX_SHOT_CHARS = 512;

/** `shot 1, 3, a door opens; shot 2, 2, a cat;`: shots in the words must fill the video, when it is cut at all. */
function checkShots(words: string, { seconds, refuse }: { seconds: number; refuse: (message: string) => Error }): void {
  const shots = [...words.matchAll(/\bshot\s+(\d+)\s*,\s*(\d+)\s*s?\s*,([^;]*);?/gi)];
  if (shots.length === 0) return;
  if (shots.length > MAX_SHOTS) throw refuse(`at most ${MAX_SHOTS} shots`);
  if (shots.some(([, number], place) => Number(number) !== place + 1)) throw refuse('shots must be numbered from 1');
  if (shots.some(([, , length]) => Number(length) < 1)) throw refuse('a shot has at least a second');
  if (shots.some(([, , , text = '']) => text.length > MAX_SHOT_CHARS)) throw refuse('a shot is described too long');
  if (shots.reduce((sum, [, , length]) => sum + Number(length), 0) !== seconds) {
    throw refuse('shots must sum up to duration');
  }
}
