import { bodyCheck } from '../vendor-call/json-body';
import type { Fields } from '../vendor-call/shape';
import { bodyRefused } from './wire';

const properties = {
  model: { type: 'string', minLength: 1 },
  prompt: { type: 'string', minLength: 1 },
  image: {
    type: ['string', 'array'],
    items: { type: 'string' },
    minItems: 1,
  },
  size: { type: 'string' },
  sequential_image_generation: { enum: ['disabled', 'auto'] },
  sequential_image_generation_options: {
    type: 'object',
    properties: { max_images: { type: 'integer', minimum: 1, maximum: 15 } },
  },
  response_format: { enum: ['url', 'b64_json'] },
  watermark: { type: 'boolean' },
  seed: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 },
  stream: { type: 'boolean' },
  optimize_prompt_options: { type: 'object', properties: { mode: { enum: ['standard', 'fast'] } } },
} as const;

export type ImagesRequest = Fields<typeof properties, 'model' | 'prompt'>;

/** The typed request; throws the vendor's refusal. */
export const checkRequest = bodyCheck({ properties, required: ['model', 'prompt'] }, bodyRefused);
