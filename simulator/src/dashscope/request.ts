import type { NewVideo } from '../jobs/job-store';
import type { Canvas } from '../media/drawing';
import type { Call, JsonObject } from '../vendor-call/contract';
import { compileShape, pathOf } from '../vendor-call/shape';
import type { References } from './references';
import { resolutionOf, starSize } from './sizes';
import { invalidParameter } from './wire';

/** A request whose model is known, with `parameters` present. */
interface VideoBody {
  model: string;
  input: JsonObject;
  parameters: JsonObject;
}

/** The video that a model makes of a request. */
export interface VideoPlan {
  video: NewVideo;
  inputVideoSeconds: number;
}

/** Reads a request for one model as strictly as the vendor; throws its refusal. */
export type ModelReader = (body: VideoBody, around: { call: Call; references: References }) => Promise<VideoPlan>;

export const commonParameters = {
  prompt_extend: { type: 'boolean' },
  watermark: { type: 'boolean' },
  seed: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 },
} as const;

/** A check that gives the typed request. Fields that the model does not know are ignored by the vendor, and warned of here. */
export function compileModel<
  const Input extends object,
  const Parameters extends object,
  const Required extends keyof Input & string = never,
>(fields: { input: Input; parameters: Parameters; required?: readonly Required[] }) {
  const check = compileShape({
    type: 'object',
    required: ['input', 'parameters'],
    properties: {
      input: { type: 'object', required: fields.required ?? [], properties: fields.input },
      parameters: { type: 'object', properties: fields.parameters },
    },
  });
  return (body: VideoBody, { requestId, warn }: Call) => {
    const shape = check(body);
    if (!shape.ok) {
      throw invalidParameter(`${pathOf(shape.error).join('.')} ${shape.error.message ?? 'is wrong'}`, requestId);
    }
    for (const part of ['input', 'parameters'] as const) {
      for (const name of Object.keys(body[part])) {
        if (!Object.hasOwn(fields[part], name)) warn(`unknown field '${part}.${name.slice(0, 60)}' for ${body.model}`);
      }
    }
    return shape.value;
  };
}

const FPS = 30;
export const DEFAULT_SECONDS = 5;

interface Wishes {
  duration?: number;
  audio?: boolean;
  seed?: number;
}

/** The video of a request, with the vendor's defaults. */
export function plan(
  { duration = DEFAULT_SECONDS, audio = true, seed = 0 }: Wishes,
  canvas: Canvas,
  inputVideoSeconds = 0,
): VideoPlan {
  return { video: { ...canvas, fps: FPS, seconds: duration, audio, seed }, inputVideoSeconds };
}

/** The figures of a finished task by which the vendor bills. */
export function usageOf({ video, inputVideoSeconds }: VideoPlan): JsonObject {
  return {
    duration: video.seconds + inputVideoSeconds,
    input_video_duration: inputVideoSeconds,
    output_video_duration: video.seconds,
    SR: Number.parseInt(resolutionOf(video), 10),
    size: starSize(video),
    fps: video.fps,
    video_count: 1,
  };
}

export interface MediaItem {
  type: string;
  url: string;
}

/** JSON Schema of `input.media` for the types that a model takes. */
export function mediaShape(types: string[]) {
  return {
    type: 'array',
    minItems: 1,
    maxItems: 24,
    items: {
      type: 'object',
      required: ['type', 'url'],
      properties: { type: { enum: types }, url: { type: 'string', minLength: 1 } },
    },
  } as const;
}

export function linksOf(media: MediaItem[], type: string): string[] {
  return media.filter((item) => item.type === type).map(({ url }) => url);
}

/** Throws when there are more of a type than the model takes. */
export function checkCounts(media: MediaItem[], most: Record<string, number>, requestId: string): void {
  for (const [type, limit] of Object.entries(most)) {
    if (linksOf(media, type).length > limit) {
      throw invalidParameter(`input.media takes at most ${limit} of type ${type}`, requestId);
    }
  }
}
