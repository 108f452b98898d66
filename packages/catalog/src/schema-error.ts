import { type Failure, fieldFailure, isJsonObject, type MessageKey, message } from '@mediagate/contracts';
import type { ErrorObject } from 'ajv';
import { demandOfPattern } from './patterns';

/**
 * Ajv's errors as failures of fields, with each field's path as JSON people write it (`image_urls[0]`). They repeat no value:
 * those are the caller's content. Where no alternative of a field fits, Ajv lists what each lacks, and then says so; that last
 * one is the error.
 */
export function schemaFailures(errors: readonly ErrorObject[]): Failure[] {
  const choices = new Set(errors.filter(isChoice).map(({ instancePath }) => instancePath));
  return errors.filter((error) => isChoice(error) || !choices.has(error.instancePath)).map(toFailure);
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf';
}

function toFailure(error: ErrorObject): Failure {
  const field = fieldPath(error);
  if (field === '') return { reason: 'invalid_parameter', message: message('body_invalid') };
  return error.keyword === 'required' ? fieldFailure('missing_parameter', field, 'required') : demand(field, error);
}

function fieldPath({ keyword, instancePath, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1);
  if (keyword === 'required') steps.push(String(params['missingProperty']));
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return path === '' ? name : `${path}.${name}`;
  }, '');
}

/** The failure in words that say what would be right, by the schema's keyword. */
function demand(field: string, { keyword, params, parentSchema }: ErrorObject): Failure {
  const wrong = 'invalid_parameter';
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'type':
      return typeFailure(field, params['type'], parentSchema);
    case 'enum':
      return fieldFailure(wrong, field, 'must_be_one_of', {
        values: (params['allowedValues'] as unknown[]).join(', '),
      });
    case 'minimum':
    case 'maximum':
      return bounds(field, parentSchema) ?? fieldFailure(wrong, field, ONE_BOUND[keyword], { limit });
    case 'exclusiveMinimum':
      return fieldFailure(wrong, field, 'must_be_above', { limit });
    case 'exclusiveMaximum':
      return fieldFailure(wrong, field, 'must_be_below', { limit });
    case 'anyOf':
      return alternatives(field, parentSchema);
    case 'minLength':
      return fieldFailure(wrong, field, 'too_few_characters', { limit });
    case 'maxLength':
      return fieldFailure(wrong, field, 'too_many_characters', { limit });
    case 'minItems':
      return limit === 1
        ? fieldFailure(wrong, field, 'no_item')
        : fieldFailure(wrong, field, 'too_few_items', { limit });
    case 'maxItems':
      return limit === 1
        ? fieldFailure(wrong, field, 'more_than_one_item')
        : fieldFailure(wrong, field, 'too_many_items', { limit });
    case 'pattern':
      return form(field, params['pattern']);
    default:
      return fieldFailure(wrong, field, 'field_invalid');
  }
}

const ONE_BOUND = { minimum: 'must_be_at_least', maximum: 'must_be_at_most' } as const;

const TYPES = {
  string: 'must_be_string',
  number: 'must_be_number',
  integer: 'must_be_integer',
  boolean: 'must_be_boolean',
  array: 'must_be_array',
  object: 'must_be_object',
  'string,number': 'must_be_string_or_number',
  'array,object': 'must_be_array_or_object',
} as const satisfies Readonly<Record<string, MessageKey>>;

/** A wrong type; for a string with an enum, the message lists its values. */
function typeFailure(field: string, type: unknown, schema: unknown): Failure {
  const values = isJsonObject(schema) && type === 'string' ? schema['enum'] : undefined;
  return Array.isArray(values)
    ? fieldFailure('invalid_parameter', field, 'must_be_string_of', { values: values.join(', ') })
    : fieldFailure('invalid_parameter', field, typeDemand(type));
}

function typeDemand(type: unknown): (typeof TYPES)[keyof typeof TYPES] | 'field_invalid' {
  const names = [type].flat().join(',');
  return Object.hasOwn(TYPES, names) ? TYPES[names as keyof typeof TYPES] : 'field_invalid';
}

interface Range {
  min: number;
  max: number;
}

function rangeOf(schema: unknown): Range | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { minimum: min, maximum: max } = schema;
  return typeof min === 'number' && typeof max === 'number' ? { min, max } : undefined;
}

function bounds(field: string, schema: unknown): Failure | undefined {
  const range = rangeOf(schema);
  return range && fieldFailure('invalid_parameter', field, 'must_be_in_range', range);
}

/** `from 2 to 30, or -1`: a range and a single value are what stands as alternatives in the catalogue. */
function alternatives(field: string, schema: unknown): Failure {
  const branches = isJsonObject(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  const [range] = branches.flatMap((branch) => rangeOf(branch) ?? []);
  const [value] = branches.flatMap((branch) => (isJsonObject(branch) ? (branch['const'] ?? []) : []));
  if (range === undefined || value === undefined) return fieldFailure('invalid_parameter', field, 'field_invalid');
  return fieldFailure('invalid_parameter', field, 'must_be_in_range_or', { ...range, value: String(value) });
}

function form(field: string, pattern: unknown): Failure {
  const demanded = demandOfPattern(pattern);
  if (demanded === undefined) return fieldFailure('invalid_parameter', field, 'must_be_of_another_form');
  if (demanded.key !== 'must_be') return fieldFailure('invalid_parameter', field, demanded.key);
  return fieldFailure('invalid_parameter', field, 'must_be', { values: demanded.values });
}
