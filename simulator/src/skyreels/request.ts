import type { Call, JsonObject } from '../vendor-call/contract';
import { bodyCheck } from '../vendor-call/json-body';
import type { Fields } from '../vendor-call/shape';
import { unprocessable } from './wire';

export const operations = ['text2video', 'image2video', 'omni-video'] as const;
export type Operation = (typeof operations)[number];

const link = { type: 'string', pattern: '^https?://' } as const;
const tag = { type: 'string', pattern: '^@.', maxLength: 60 } as const;
const list = <const Properties extends object, const Required extends string>(
  most: number,
  required: Required[],
  properties: Properties,
) => ({ type: 'array', minItems: 1, maxItems: most, items: { type: 'object', required, properties } }) as const;

const general = {
  prompt: { type: 'string', minLength: 1 },
  duration: { type: 'integer', minimum: 3, maximum: 15 },
  aspect_ratio: { enum: ['16:9', '4:3', '1:1', '9:16', '3:4'] },
  sound: { type: 'boolean' },
  prompt_optimizer: { type: 'boolean' },
  mode: { enum: ['fast', 'std', 'pro'] },
  resolution: { enum: ['480p', '720p', '1080p'] },
} as const;

const fields = {
  text2video: general,
  image2video: {
    ...general,
    first_frame_image: link,
    end_frame_image: link,
    mid_frame_images: list(6, ['tag', 'image_url', 'time_stamp'], {
      tag,
      image_url: link,
      time_stamp: { type: 'integer', minimum: -1 },
    }),
  },
  'omni-video': {
    ...general,
    ref_images: list(3, ['tag', 'type', 'image_urls'], {
      tag,
      type: { enum: ['image', 'grid'] },
      image_urls: { type: 'array', items: link, minItems: 1, maxItems: 5 },
      audio_url: link,
    }),
    ref_videos: list(1, ['tag', 'type', 'video_url'], {
      tag,
      type: { enum: ['reference', 'extend'] },
      video_url: link,
    }),
  },
} as const;

export type VideoRequest = Fields<
  (typeof fields)['text2video'] & (typeof fields)['image2video'] & (typeof fields)['omni-video'],
  'prompt'
>;

const checkOf = (operation: Operation, required: string[]) =>
  bodyCheck<object, string, VideoRequest>({ properties: fields[operation], required, where: operation }, unprocessable);
const checks = {
  text2video: checkOf('text2video', ['prompt']),
  image2video: checkOf('image2video', ['prompt', 'first_frame_image']),
  'omni-video': checkOf('omni-video', ['prompt']),
};

/** The typed request; throws the vendor's refusal. */
export function checkRequest(operation: Operation, body: JsonObject, call: Call): VideoRequest {
  const request = checks[operation](body, call);
  const fault = faultIn(operation, request);
  if (fault !== undefined) throw unprocessable(fault, call.requestId);
  return request;
}

const MAX_PROMPT_TOKENS = 1_280;
const BYTES_PER_TOKEN = 4;

/** A fault that no single field shows; undefined: there is none. */
function faultIn(operation: Operation, request: VideoRequest): string | undefined {
  const {
    prompt,
    duration = 5,
    mid_frame_images: mid = [],
    ref_images: images = [],
    ref_videos: videos = [],
  } = request;
  if (Math.ceil(Buffer.byteLength(prompt) / BYTES_PER_TOKEN) > MAX_PROMPT_TOKENS) {
    return `prompt exceeds ${MAX_PROMPT_TOKENS} tokens`;
  }
  const untold = [...mid, ...images, ...videos].find((item) => !prompt.includes(item.tag));
  if (untold) return `tag ${untold.tag} does not appear in the prompt`;
  const wrongTime = mid.find(({ time_stamp: at }) => at !== -1 && (at <= 0 || at >= duration));
  if (wrongTime) return `time_stamp ${wrongTime.time_stamp} must be -1 or within (0, ${duration})`;
  if (operation !== 'omni-video') return undefined;
  return faultInReferences(images, videos);
}

function faultInReferences(
  images: NonNullable<VideoRequest['ref_images']>,
  videos: NonNullable<VideoRequest['ref_videos']>,
): string | undefined {
  if (images.length + videos.length === 0) return 'At least one reference must be provided';
  const types = new Set(images.map(({ type }) => type));
  if (types.size > 1) return 'ref_images must all be of one type';
  if (types.has('grid') && images.length > 1) return 'ref_images of type grid takes one item';
  const [video] = videos;
  if (video?.type === 'extend' && images.length > 0) return 'ref_videos of type extend excludes ref_images';
  if (video?.type === 'reference' && types.has('grid')) return 'ref_videos of type reference goes only with image';
  return undefined;
}
