import type { ErrorObject } from 'ajv';
import type { JsonObject, Refusal } from '../vendor-call/contract';
import { type Fields, pathOf } from '../vendor-call/shape';
import { imageModel, type Quality } from './models';
import { invalidRequest } from './wire';

const MAX_PROMPT_CHARS = 32_000;

/** Parameters that generations and edits have in common; null stands for absent, as the vendor allows. */
export const imageParameterShapes = {
  model: { type: 'string' },
  prompt: { type: 'string', minLength: 1, maxLength: MAX_PROMPT_CHARS },
  n: { type: ['integer', 'null'], minimum: 1, maximum: 10 },
  size: { type: ['string', 'null'] },
  quality: { enum: ['low', 'medium', 'high', 'xhigh', 'max', 'auto', null] },
  background: { enum: ['transparent', 'opaque', 'auto', null] },
  output_format: { enum: ['png', 'jpeg', 'webp', null] },
  output_compression: { type: ['integer', 'null'], minimum: 0, maximum: 100 },
  moderation: { enum: ['low', 'auto', null] },
  user: { type: 'string' },
  stream: { type: ['boolean', 'null'] },
  partial_images: { type: ['integer', 'null'], minimum: 0, maximum: 3 },
} as const;

export type ImageParameters = Fields<typeof imageParameterShapes, 'model' | 'prompt'>;

/** The parameters with the vendor's defaults put in and what crosses fields checked; throws a Refusal. */
export function resolveParameters(parameters: ImageParameters): ResolvedParameters {
  const model = imageModel(parameters.model);
  const format = parameters.output_format ?? 'png';
  const quality = parameters.quality === 'auto' ? 'medium' : (parameters.quality ?? 'medium');
  const tokensPerMegapixel = model.outputTokens[quality];
  if (tokensPerMegapixel === undefined) {
    throw invalidRequest(
      'quality',
      'invalid_value',
      invalidValue(quality, [...Object.keys(model.outputTokens), 'auto']),
    );
  }
  if (parameters.background === 'transparent' && format === 'jpeg') {
    throw invalidRequest(
      'background',
      'invalid_value',
      'Transparent background is not supported for JPEG output format.',
    );
  }
  if (parameters.output_compression != null && parameters.output_compression !== 100 && format === 'png') {
    const message = "Compression less than 100 is not supported for PNG output format. Use 'jpeg' or 'webp'.";
    throw invalidRequest('output_compression', 'invalid_value', message);
  }
  if (parameters.stream) {
    throw invalidRequest('stream', 'unsupported_value', 'Streaming of images is not supported here.');
  }
  return {
    count: parameters.n ?? 1,
    size: parameters.size ?? 'auto',
    quality,
    tokensPerMegapixel,
    transparent: parameters.background === 'transparent',
    format,
    compression: parameters.output_compression ?? 100,
  };
}

export interface ResolvedParameters {
  count: number;
  size: string;
  quality: Quality;
  tokensPerMegapixel: number;
  transparent: boolean;
  format: 'png' | 'jpeg' | 'webp';
  compression: number;
}

/** A fault of shape in the vendor's words. */
export function shapeRefusal(error: ErrorObject): Refusal {
  const param = pathOf(error).reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step),
    '',
  );
  const { data, params } = error;
  const [code, message] = shapeFaults[error.keyword]?.(param, data, params) ?? [
    'invalid_type',
    `Invalid type for '${param}': expected ${expectedType(params['type'])}, but got ${typeName(data)} instead.`,
  ];
  return invalidRequest(param, code, message);
}

/** The code and the words of each kind of fault. */
const shapeFaults: Record<string, (param: string, data: unknown, params: JsonObject) => [string, string]> = {
  required: (param) => ['missing_required_parameter', `Missing required parameter: '${param}'.`],
  additionalProperties: (param) => ['unknown_parameter', `Unknown parameter: '${param}'.`],
  enum: (_param, data, { allowedValues }) => ['invalid_value', invalidValue(data, allowedValues)],
  minimum: (param, data, { limit }) => [
    'integer_below_min_value',
    `Invalid '${param}': integer below minimum value. Expected a value >= ${limit}, but got ${data} instead.`,
  ],
  maximum: (param, data, { limit }) => [
    'integer_above_max_value',
    `Invalid '${param}': integer above maximum value. Expected a value <= ${limit}, but got ${data} instead.`,
  ],
  minLength: (param, _data, { limit }) => [
    'empty_string',
    `Invalid '${param}': empty string. Expected a string with minimum length ${limit}, but got an empty string instead.`,
  ],
  maxLength: (param, _data, { limit }) => [
    'string_above_max_length',
    `Invalid '${param}': string too long. Expected a string with maximum length ${limit}.`,
  ],
  minItems: (param, _data, { limit }) => [
    'empty_array',
    `Invalid '${param}': empty array. Expected an array with minimum length ${limit}.`,
  ],
  maxItems: (param, _data, { limit }) => [
    'array_above_max_length',
    `Invalid '${param}': array too long. Expected an array with maximum length ${limit}.`,
  ],
};

function invalidValue(value: unknown, allowed: unknown): string {
  const supported = (Array.isArray(allowed) ? allowed : []).filter((item) => item !== null);
  const shown = typeof value === 'string' ? `'${value.slice(0, 60)}'` : JSON.stringify(value)?.slice(0, 60);
  return `Invalid value: ${shown}. Supported values are: ${supported.map((item) => `'${item}'`).join(', ')}.`;
}

function expectedType(type: unknown): string {
  const [first] = Array.isArray(type) ? type : [type];
  return withArticle(String(first));
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : withArticle(typeof value);
}

function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
