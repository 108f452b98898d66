import type { Call, JsonObject } from '../vendor-call/contract';
import type { Fields } from '../vendor-call/shape';
import type { VideoFamily } from './account';
import type { VideoRequest } from './video-order';
import { compileBody, invalidParameter, longOrInteger, notFound } from './wire';

const MIN_SECONDS = 3;
const MAX_SECONDS = 15;
const durations = Array.from({ length: MAX_SECONDS - MIN_SECONDS + 1 }, (_, index) => String(index + MIN_SECONDS));
const DEFAULT_SECONDS = '5';
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

const text = { type: 'string', maxLength: 2_500 } as const;
const imageField = { type: 'string', minLength: 1 } as const;
const general = {
  model_name: { type: 'string' },
  prompt: text,
  negative_prompt: text,
  mode: { enum: ['std', 'pro', '4k'] },
  // Text, not a number: the vendor refuses a number.
  duration: { enum: durations },
  sound: { enum: ['on', 'off'] },
  cfg_scale: { type: 'number', minimum: 0, maximum: 1 },
  multi_shot: { type: 'boolean' },
  shot_type: { enum: ['customize', 'intelligence'] },
  multi_prompt: {
    type: 'array',
    minItems: 1,
    maxItems: 6,
    items: {
      type: 'object',
      required: ['index', 'prompt', 'duration'],
      properties: {
        index: { type: 'integer', minimum: 1 },
        prompt: { type: 'string', minLength: 1, maxLength: 512 },
        duration: { type: 'string', pattern: '^([1-9]|1[0-5])$' },
      },
    },
  },
  voice_list: {
    type: 'array',
    maxItems: 2,
    items: { type: 'object', required: ['voice_id'], properties: { voice_id: { type: 'string' } } },
  },
  watermark_info: { type: 'object', properties: { enabled: { type: 'boolean' } } },
  callback_url: { type: 'string' },
  external_task_id: { type: 'string', minLength: 1 },
} as const;
const ratio = { aspect_ratio: { enum: ['16:9', '9:16', '1:1'] } } as const;
const elements = {
  element_list: {
    type: 'array',
    maxItems: 3,
    items: {
      type: 'object',
      required: ['element_id'],
      properties: { element_id: longOrInteger },
    },
  },
} as const;
const images = {
  image_list: {
    type: 'array',
    maxItems: 7,
    items: {
      type: 'object',
      required: ['image_url'],
      properties: { image_url: imageField, type: { enum: ['first_frame', 'end_frame'] } },
    },
  },
} as const;
const frames = { image: imageField, image_tail: imageField };

type LegacyBody = Fields<typeof general & typeof ratio & typeof elements & typeof images & typeof frames, 'model_name'>;

const checks: Record<VideoFamily, (body: JsonObject, call: Call) => LegacyBody> = {
  text2video: compileBody({ ...general, ...ratio }, ['model_name']),
  image2video: compileBody({ ...general, ...elements, ...frames }, ['model_name', 'image']),
  'omni-video': compileBody({ ...general, ...ratio, ...elements, ...images }, ['model_name']),
};

const models: Record<VideoFamily, string> = {
  text2video: 'kling-v3',
  image2video: 'kling-v3',
  'omni-video': 'kling-v3-omni',
};

/** A body of `/v1/videos/{family}` as a request; throws the vendor's refusals. */
export function readLegacyRequest(family: VideoFamily, body: JsonObject, call: Call): VideoRequest {
  const request = checks[family](body, call);
  if (request.model_name !== models[family]) {
    throw notFound(`model ${request.model_name.slice(0, 60)} does not exist`, call.requestId);
  }
  if (family === 'text2video' && 'element_list' in body) {
    throw invalidParameter('element_list is not supported by text2video', call.requestId);
  }
  if (family === 'omni-video' && 'negative_prompt' in body) {
    throw invalidParameter('negative_prompt is not supported by omni-video', call.requestId);
  }
  if (request.multi_shot && request.image_tail !== undefined) {
    throw invalidParameter('image_tail cannot be used with multi_shot', call.requestId);
  }
  const { image, image_tail: tail, image_list: list = [] } = request;
  const ofType = (type: string) => list.find((item) => item.type === type)?.image_url;
  const named = (field: string, value: string | undefined) => (value === undefined ? undefined : { field, value });
  return {
    family,
    model: request.model_name,
    prompt: promptOf(family, request, call),
    mode: request.mode ?? 'std',
    seconds: Number(request.duration ?? DEFAULT_SECONDS),
    maxImageBytes: MAX_IMAGE_BYTES,
    sound: request.sound === 'on',
    aspectRatio: request.aspect_ratio ?? '16:9',
    firstFrame: named('image', image) ?? named('image_list', ofType('first_frame')),
    lastFrame: named('image_tail', tail) ?? named('image_list', ofType('end_frame')),
    otherImages: list.filter(({ type }) => !type).map(({ image_url: value }) => ({ field: 'image_list', value })),
    elementIds: (request.element_list ?? []).map(({ element_id: id }) =>
      typeof id === 'number' ? String(id) : id.long,
    ),
    marked: request.watermark_info?.enabled ?? false,
    externalTaskId: request.external_task_id,
  };
}

/** The words of the video: the prompt, or those of the shots where the caller cuts it. Throws when they do not fit together. */
function promptOf(family: VideoFamily, request: LegacyBody, call: Call): string {
  const { prompt = '', multi_shot: isMulti = false, shot_type: type, multi_prompt: shots } = request;
  const refuse = (message: string) => invalidParameter(message, call.requestId);
  if (isMulti && type === undefined) throw refuse('shot_type is required with multi_shot');
  if (isMulti && type === 'customize') {
    if (!shots) throw refuse('multi_prompt is required with shot_type customize');
    const total = shots.reduce((sum, { duration }) => sum + Number(duration), 0);
    if (shots.some(({ index }, place) => index !== place + 1)) throw refuse('multi_prompt.index must run from 1');
    if (total !== Number(request.duration ?? DEFAULT_SECONDS)) throw refuse('multi_prompt must sum up to duration');
    return [prompt, ...shots.map((shot) => shot.prompt)].join(' ').trim();
  }
  if (shots) call.warn('multi_prompt without shot_type customize');
  // An image alone can say what to show.
  if (prompt === '' && family !== 'image2video') throw refuse('prompt is required');
  return prompt;
}
