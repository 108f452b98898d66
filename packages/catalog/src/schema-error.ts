import { isJsonObject } from '@mediagate/contracts';
import type { ErrorObject } from 'ajv';
import type { RejectedInput } from './entry';
import { missing, reject } from './rules';

/**
 * Ajv's error as a sentence for the caller, with the field's path as JSON people write it (`image_urls[0]`). It repeats no
 * value: those are the caller's content. Where no alternative of a field fits, Ajv lists what each lacks, and then says so;
 * that last one is the error.
 */
export function describeSchemaErrors(errors: readonly ErrorObject[]): RejectedInput {
  const error = errors.find(({ keyword }) => keyword === 'anyOf') ?? errors[0];
  if (!error) return reject('', 'The request body is not valid.');
  const field = fieldPath(error);
  const refuse = error.keyword === 'required' ? missing : reject;
  return refuse(field, `${field === '' ? 'The request body' : field} ${demand(error)}`);
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

/** What would be right, by keyword; a keyword not listed falls back on Ajv's own words, which are English and value-free. */
function demand({ keyword, params, parentSchema, message }: ErrorObject): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${[params['type']].flat().map(String).map(withArticle).join(' or ')}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'minimum':
    case 'maximum':
      return `must be ${range(parentSchema) ?? message?.replace('must be ', '')}`;
    case 'anyOf':
      return `must be ${alternatives(parentSchema)}`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'maxItems':
      return `must have at most ${limit} ${limit === '1' ? 'item' : 'items'}`;
    case 'minItems':
      return `must have at least ${limit} ${limit === '1' ? 'item' : 'items'}`;
    case 'pattern':
      return `must be ${inWords(parentSchema) ?? 'of another form'}`;
    default:
      return message ?? 'is not valid';
  }
}

function range(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { minimum, maximum } = schema;
  return minimum === undefined || maximum === undefined ? undefined : `from ${minimum} to ${maximum}`;
}

/** What a schema says of itself, `A ratio as 3:2.`, within a sentence: an expression tells most readers nothing. */
function inWords(schema: unknown): string | undefined {
  const description = isJsonObject(schema) ? schema['description'] : undefined;
  if (typeof description !== 'string') return undefined;
  return description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, '');
}

/** `from 2 to 30, or -1`; only ranges and single values stand as alternatives in the catalogue. */
function alternatives(schema: unknown): string {
  const branches = isJsonObject(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  return branches.map((branch) => range(branch) ?? (isJsonObject(branch) ? branch['const'] : '')).join(', or ');
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
