import type { Json, JsonObject } from '@mediagate/contracts';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { OptionFault } from '../contract';
import { OUTPUT_ROLES } from './template';

const POINTER = {
  type: 'string',
  pattern: '^(?:/(?:[^~/]|~[01])+)+$',
  errorMessage: 'must be a JSON pointer, as /prompt',
};
/** A pointer into a vendor's answer. */
export const PLACE = { ...POINTER, errorMessage: 'must be a JSON pointer, as /images/*/url' };
const COUNT = { type: 'integer', minimum: 1, maximum: 100_000 };
const NUMBER = { type: 'number' };

const SOURCE: JsonObject = {
  type: 'object',
  properties: {
    from: POINTER,
    default: true,
    required: { type: 'boolean' },
    values: {
      type: ['array', 'object'],
      minItems: 1,
      minProperties: 1,
      errorMessage: 'must be a list of values, or a map of values to those of the vendor',
    },
    min: NUMBER,
    max: NUMBER,
    max_items: COUNT,
    max_characters: COUNT,
    times: NUMBER,
    plus: NUMBER,
    as: { enum: ['text', 'number'] },
  },
  additionalProperties: false,
};

const FORM: JsonObject = {
  type: 'object',
  required: ['endpoint', 'input', 'output'],
  properties: {
    endpoint: {
      type: 'string',
      pattern: '^[A-Za-z0-9][\\w.-]*(?:/[A-Za-z0-9][\\w.-]*)*(?::[a-f0-9]{40,64})?$',
      maxLength: 200,
      errorMessage: "must be the vendor's name of what is called, as owner/name",
    },
    input: { type: 'object', additionalProperties: { $ref: '#/$defs/part' } },
    accepts: {
      type: 'object',
      propertyNames: POINTER,
      additionalProperties: {
        type: ['array', 'string'],
        minItems: 1,
        pattern: '^any$',
        errorMessage: 'must be a list of values, or the word any',
      },
    },
    output: {
      type: 'object',
      properties: {
        ...Object.fromEntries(OUTPUT_ROLES.map((role) => [role, PLACE])),
        seconds: PLACE,
        usage: PLACE,
        keep_seconds: POINTER,
      },
      additionalProperties: false,
      anyOf: OUTPUT_ROLES.map((role) => ({ required: [role] })),
      errorMessage: `must say where the ${OUTPUT_ROLES.join(' or ')} stands in the answer`,
    },
  },
  additionalProperties: false,
};

const HAS_FROM: JsonObject = { type: 'object', required: ['from'] };
const HAS_LITERAL: JsonObject = { type: 'object', required: ['literal'] };

/** The schema of a channel's `templates`. */
const SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: { type: 'array', minItems: 1, maxItems: 20, items: { $ref: '#/$defs/form' } },
  $defs: {
    form: FORM,
    source: SOURCE,
    /** A map with one of these words is what the word says, any other is a map of parts. */
    part: {
      type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
      allOf: [
        { if: { not: HAS_FROM }, else: { $ref: '#/$defs/source' } },
        { if: { not: HAS_LITERAL }, else: { properties: { literal: true }, additionalProperties: false } },
        {
          if: { anyOf: [HAS_FROM, HAS_LITERAL] },
          else: {
            properties: { first_of: { type: 'array', minItems: 1 } },
            items: { $ref: '#/$defs/part' },
            additionalProperties: { $ref: '#/$defs/part' },
          },
        },
      ],
    },
  },
};

let validate: ValidateFunction | undefined;

/** The fault in an operator's templates, and its place, as `seedream[0].input.prompt`; undefined: none. */
export function templatesFault(value: Json): OptionFault | undefined {
  validate ??= compileShape(SCHEMA);
  return shapeFault(validate, value);
}

/** The first fault of a part of an operator's configuration by its schema, in which `errorMessage` has words of its own. */
export function shapeFault(judge: ValidateFunction, value: Json): OptionFault | undefined {
  if (judge(value)) return undefined;
  const errors = judge.errors ?? [];
  // For a choice it reports the error of the whole, not those of its branches; for a condition, the error within it.
  const error = errors.find(({ keyword }) => keyword === 'anyOf') ?? errors.find(({ keyword }) => keyword !== 'if');
  return error && { field: fieldOf(error), problem: problemOf(error) };
}

export function compileShape(schema: JsonObject): ValidateFunction {
  const ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    verbose: true,
  });
  ajv.addVocabulary(['errorMessage']);
  return ajv.compile(schema);
}

function fieldOf({ instancePath, params, keyword, propertyName }: ErrorObject): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`))
    .join('');
  const key = propertyName ?? (keyword === 'required' ? params['missingProperty'] : params['additionalProperty']);
  return (key === undefined ? path : `${path}.${key}`).replace(/^\./, '');
}

function problemOf({ keyword, message, params, parentSchema, data }: ErrorObject): string {
  const own = parentSchema?.['errorMessage'];
  if (keyword === 'required') {
    const { properties } = parentSchema ?? {};
    const unknown = properties && Object.keys(data as JsonObject).find((key) => !Object.hasOwn(properties, key));
    return unknown === undefined ? 'is missing' : `is missing, and \`${unknown}\` beside it is unknown`;
  }
  if (keyword === 'additionalProperties') return 'unknown key';
  if (keyword === 'enum' && own === undefined)
    return `must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
  return typeof own === 'string' ? own : (message ?? 'is not as it must be');
}
