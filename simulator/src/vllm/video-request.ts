import type { Canvas } from '../media/drawing';
import type { Form } from '../vendor-call/form';
import { isJsonObject, parseJson } from '../vendor-call/request-body';
import { badRequest, invalidField } from './wire';

export interface VideoRequest extends Canvas {
  prompt: string;
  seconds: number;
  fps: number;
  seed: number;
  sound: boolean;
  /** An image to begin from, by its bytes or where it is to be had. */
  image: { bytes: Buffer } | { link: string } | undefined;
}

/** Models that can be asked for, and whether they begin from images, too. */
const models: Record<string, { takesImages: boolean }> = {
  'Wan-AI/Wan2.2-TI2V-5B-Diffusers': { takesImages: true },
  'Wan-AI/Wan2.2-T2V-A14B-Diffusers': { takesImages: false },
};

export const modelNames: readonly string[] = Object.keys(models);

/** Fields that the server reads and that change nothing here. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'seconds',
  'size',
  'user',
  'fps',
  'seed',
  'negative_prompt',
  'generate_sound',
  'image_reference',
  'width',
  'height',
  'num_frames',
  'num_inference_steps',
  'guidance_scale',
  'guidance_scale_2',
  'flow_shift',
]);
const DEFAULTS = { seconds: 4, fps: 24, size: '1280x720' };
const MAX_SECONDS = 30;
const STEP_PIXELS = 16;
const MAX_SIDE_PIXELS = 3_840;

/** The typed request for a model that there is; throws the server's refusal of the first fault. */
export function checkVideoRequest(
  { fields, files }: Form,
  model: string,
  warn: (sentence: string) => void,
): VideoRequest {
  const { prompt, seconds = String(DEFAULTS.seconds), size = DEFAULTS.size, fps, seed } = fields;
  if (prompt === undefined || prompt === '') throw invalidField('prompt', 'Field required');
  if (!/^[1-9]\d*$/.test(seconds)) throw invalidField('seconds', "String should match pattern '^[1-9]\\d*$'");
  if (Number(seconds) > MAX_SECONDS) throw badRequest(`at most ${MAX_SECONDS} seconds fit into memory`, 'seconds');
  for (const name of Object.keys(fields).filter((field) => !KNOWN_FIELDS.has(field)))
    warn(`unknown field '${name.slice(0, 60)}'`);
  return {
    prompt,
    ...canvasOf(size),
    seconds: Number(seconds),
    fps: wholeNumber('fps', fps) ?? DEFAULTS.fps,
    seed: wholeNumber('seed', seed) ?? 0,
    sound: fields['generate_sound'] === 'true',
    image: imageOf({ fields, files }, model),
  };
}

function canvasOf(size: string): Canvas {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined) throw invalidField('size', "String should match pattern '^\\d+x\\d+$'");
  const sides = [Number(width), Number(height)];
  if (sides.some((side) => side % STEP_PIXELS !== 0 || side === 0 || side > MAX_SIDE_PIXELS))
    throw badRequest(`\`height\` and \`width\` have to be divisible by ${STEP_PIXELS} but are ${size}`, 'size');
  return { width: Number(width), height: Number(height) };
}

function wholeNumber(field: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,10}$/.test(value)) throw invalidField(field, 'Input should be a valid integer');
  return Number(value);
}

function imageOf({ fields, files }: Form, model: string): VideoRequest['image'] {
  const bytes = files.find(({ field }) => field === 'input_reference')?.bytes;
  const { image_reference: reference } = fields;
  if (bytes === undefined && reference === undefined) return undefined;
  if (bytes !== undefined && reference !== undefined)
    throw badRequest('input_reference and image_reference cannot be combined', 'image_reference');
  if (!models[model]?.takesImages) throw badRequest('the model takes no image', 'input_reference');
  if (bytes !== undefined) return { bytes };
  const parsed = parseJson(Buffer.from(reference ?? ''));
  const link = isJsonObject(parsed) ? parsed['image_url'] : undefined;
  if (typeof link !== 'string') throw invalidField('image_reference', 'image_url is required');
  return { link };
}
