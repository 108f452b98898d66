import { canvasOfArea } from '../media/canvas';
import type { Canvas } from '../media/drawing';
import { bodyCheck } from '../vendor-call/json-body';
import type { Fields } from '../vendor-call/shape';
import { bodyRefused, invalidParameter } from './wire';

const resolutions = ['480p', '720p', '1080p'] as const;
const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'] as const;
export type ArkResolution = (typeof resolutions)[number];
export type ArkRatio = (typeof ratios)[number];

/** In pixels, in the order of `ratios`. */
const documented: Record<ArkResolution, readonly Canvas[]> = {
  '480p': rows('864x496 752x560 640x640 560x752 496x864 992x432'),
  '720p': rows('1280x720 1112x834 960x960 834x1112 720x1280 1470x630'),
  '1080p': rows('1920x1080 1664x1248 1440x1440 1248x1664 1080x1920 2206x946'),
};

export function canvasOf(resolution: ArkResolution, ratio: ArkRatio): Canvas {
  const canvas = documented[resolution][ratios.indexOf(ratio)];
  if (!canvas) throw new Error(`no size of ${resolution} at ${ratio}`);
  return canvas;
}

/** The area of the resolution in the shape of an image. */
export function canvasInShape(resolution: ArkResolution, { width, height }: Canvas): Canvas {
  const { width: wide, height: high } = canvasOf(resolution, '16:9');
  return canvasOfArea(wide * high, width / height);
}

function rows(list: string): Canvas[] {
  return list.split(' ').map((size) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    return { width, height };
  });
}

type ContentItem =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string }; role?: 'first_frame' | 'last_frame' | 'reference_image' }
  | { type: 'video_url'; video_url: { url: string }; role?: 'reference_video' }
  | { type: 'audio_url'; audio_url: { url: string }; role?: 'reference_audio' };

interface Model {
  seconds: readonly [number, number];
  resolutions: readonly ArkResolution[];
  takesReferences: boolean;
  takesLoneAudio?: true;
}

const seedance20: Model = { seconds: [4, 15], resolutions, takesReferences: true };
const models: Record<string, Model> = {
  'seedance-1-5-pro-251215': { seconds: [4, 12], resolutions, takesReferences: false },
  'dreamina-seedance-2-0-260128': seedance20,
  'dreamina-seedance-2-0-fast-260128': { ...seedance20, resolutions: ['480p', '720p'] },
  'dreamina-seedance-2-0-mini-260615': { ...seedance20, resolutions: ['480p', '720p'] },
  'dreamina-seedance-2-5-260628': { ...seedance20, seconds: [4, 30], takesLoneAudio: true },
};

export function videoModelNames(): string[] {
  return Object.keys(models);
}

/** Has the model choose. */
export const SMART_DURATION = -1;
const MOST_OF_ROLE = { reference_image: 9, reference_video: 3, reference_audio: 3 };

const link = {
  type: 'object',
  required: ['url'],
  properties: { url: { type: 'string', minLength: 1 } },
};
const item = (type: string, roles: string[]) => ({
  type: 'object',
  required: ['type', type],
  properties: { type: { const: type }, [type]: link, role: { enum: roles } },
});
const properties = {
  model: { type: 'string', minLength: 1 },
  content: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['type'],
      oneOf: [
        {
          type: 'object',
          required: ['type', 'text'],
          properties: { type: { const: 'text' }, text: { type: 'string', minLength: 1 } },
        },
        item('image_url', ['first_frame', 'last_frame', 'reference_image']),
        item('video_url', ['reference_video']),
        item('audio_url', ['reference_audio']),
      ],
    },
  },
  resolution: { enum: resolutions },
  ratio: { enum: [...ratios, 'adaptive'] },
  duration: { type: 'integer' },
  seed: { type: 'integer', minimum: -1, maximum: 2 ** 32 - 1 },
  watermark: { type: 'boolean' },
  generate_audio: { type: 'boolean' },
  camera_fixed: { type: 'boolean' },
  return_last_frame: { type: 'boolean' },
  service_tier: { enum: ['default', 'flex'] },
  execution_expires_after: { type: 'integer', minimum: 3_600, maximum: 259_200 },
  callback_url: { type: 'string' },
} as const;

export type VideoRequest = Omit<Fields<typeof properties, 'model'>, 'content'> & { content: ContentItem[] };

/** The typed request; throws the vendor's refusal. */
export const checkVideoRequest = bodyCheck<object, string, VideoRequest>(
  { properties, required: ['model', 'content'] },
  bodyRefused,
);

/** Undefined: there is no such model. */
export function modelOf({ model }: VideoRequest): Model | undefined {
  return Object.hasOwn(models, model) ? models[model] : undefined;
}

/** Refuses values that the model does not take, or not together. */
export function checkCombination(request: VideoRequest, model: Model, requestId: string): void {
  const { content, duration, resolution } = request;
  const refuse = (param: string, reason: string) => invalidParameter(param, reason, requestId);
  const roles = rolesIn(content);
  const isReference = (role: string) => role.startsWith('reference_');
  const [least, most] = model.seconds;
  if (duration !== undefined && duration !== SMART_DURATION && (duration < least || duration > most)) {
    throw refuse('duration', `must be between ${least} and ${most}`);
  }
  if (resolution !== undefined && !model.resolutions.includes(resolution)) {
    throw refuse('resolution', `must be one of ${model.resolutions.join(', ')}`);
  }
  if (roles.some(isReference) && !model.takesReferences) throw refuse('content', 'reference inputs are not supported');
  if (roles.some(isReference) && !roles.every(isReference)) {
    throw refuse('content', 'first/last frame content cannot be mixed with reference media content');
  }
  if (!model.takesLoneAudio && roles.length > 0 && roles.every((role) => role === 'reference_audio')) {
    throw refuse('content', 'reference audio needs a reference image or video');
  }
  if (roles.includes('last_frame') && !roles.includes('first_frame')) throw refuse('content', 'last frame alone');
  for (const [role, limit] of Object.entries(MOST_OF_ROLE)) {
    if (roles.filter((found) => found === role).length > limit) throw refuse('content', `at most ${limit} of ${role}`);
  }
  const frames = roles.filter((role) => !isReference(role));
  if (new Set(frames).size < frames.length) throw refuse('content', 'two frames have the same role');
}

const DEFAULT_ROLES = { image_url: 'first_frame', video_url: 'reference_video', audio_url: 'reference_audio' };

/** An image without a role is the first frame. */
function rolesIn(content: ContentItem[]): string[] {
  return content.flatMap((part) => (part.type === 'text' ? [] : [part.role ?? DEFAULT_ROLES[part.type]]));
}

/** Addresses of images in a role. */
export function imagesIn({ content }: VideoRequest, role: string): string[] {
  return content.flatMap((part) =>
    part.type === 'image_url' && (part.role ?? 'first_frame') === role ? [part.image_url.url] : [],
  );
}

export function promptIn(content: unknown): string {
  const parts = Array.isArray(content) ? content : [];
  return parts.flatMap((part: unknown) => textPart(part)).join('\n');
}

function textPart(part: unknown): string[] {
  const isText = typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';
  return isText ? [part.text as string] : [];
}
