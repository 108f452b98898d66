import type { ErrorObject } from 'ajv';
import type { Refusal } from '../vendor-call/contract';
import { warnOfUnknown } from '../vendor-call/json-body';
import { compileShape, type Fields, pathOf } from '../vendor-call/shape';
import { invalidParameter, missingParameter } from './wire';

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

const checkShape = compileShape({ type: 'object', required: ['model', 'prompt'], properties });

/** The typed request; throws the vendor's refusal. Fields that Ark does not know are ignored by it, and warned of here. */
export function checkRequest(
  body: Record<string, unknown>,
  { requestId, warn }: { requestId: string; warn: (sentence: string) => void },
): ImagesRequest {
  const shape = checkShape(body);
  if (!shape.ok) throw shapeRefusal(shape.error, requestId);
  warnOfUnknown(body, properties, warn);
  return shape.value;
}

function shapeRefusal(error: ErrorObject, requestId: string): Refusal {
  const param = pathOf(error).join('.');
  if (error.keyword === 'required') return missingParameter(param, requestId);
  return invalidParameter(param, error.message ?? 'unexpected value', requestId);
}
