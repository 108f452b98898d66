import { type Json, type JsonObject, refuseAll } from '@mediagate/contracts';
import type { MaxCost } from '../../../use-cases/price-task';
import type { FieldReader } from './field-reader';
import { MAX_IMAGE_LINKS } from './image-links';

/** Fields of the native endpoint's configuration, by their names here. */
export type ConfigNames = Readonly<Record<string, string>>;

/** Numbers that both of OpenAI's text interfaces have. */
export const SAMPLING: ConfigNames = { temperature: 'temperature', top_p: 'topP' };

/** Values that ask for what is done without the field, which not every vendor takes. */
const DEFAULTS: Readonly<Record<string, Json>> = {
  presence_penalty: 0,
  frequency_penalty: 0,
  max_tokens: -1,
  max_completion_tokens: -1,
  top_k: -1,
};

/** @param integers later names count where two of one meaning are given. */
export function readNumbers(
  sent: JsonObject,
  { numbers, integers }: { numbers: ConfigNames; integers: ConfigNames },
  fields: FieldReader,
): JsonObject {
  const config: JsonObject = {};
  for (const [name, native] of Object.entries({ ...numbers, ...integers })) {
    const isInteger = Object.hasOwn(integers, name);
    const number = isInteger ? fields.whole(sent[name], name) : fields.number(sent[name], name);
    if (number !== undefined && number !== DEFAULTS[name]) config[native] = number;
  }
  return config;
}

/** Tokens of thought by effort. */
const EFFORTS = { none: 0, minimal: 512, low: 1024, medium: 8192, high: 24_576, xhigh: 24_576 } as const;

/** A blank word is an absent one. */
export function isUnset(word: Json | undefined): boolean {
  return word === undefined || word === null || (typeof word === 'string' && word.trim() === '');
}

export function readEffort(effort: Json | undefined, param: string, fields: FieldReader): JsonObject {
  if (isUnset(effort)) return {};
  const word = fields.word(effort, param, Object.keys(EFFORTS) as (keyof typeof EFFORTS)[]);
  return word === undefined ? {} : { thinkingConfig: { thinkingBudget: EFFORTS[word] } };
}

const JSON_TYPE = 'application/json';

/** @param schemaOf finds the schema, and its place, where the format is one of JSON by a schema. */
export function readFormat(
  format: JsonObject,
  param: string,
  { fields, schemaOf }: { fields: FieldReader; schemaOf(): readonly [schema: Json | undefined, param: string] },
): JsonObject {
  const type = fields.word(format['type'], `${param}.type`, ['text', 'json_object', 'json_schema']);
  if (type === undefined || type === 'text') return {};
  const schema = type === 'json_schema' ? fields.optional('object', ...schemaOf()) : undefined;
  return { responseMimeType: JSON_TYPE, ...(schema === undefined ? {} : { responseJsonSchema: schema }) };
}

export const MAX_COST = 'max_cost';

export function readMaxCost(value: Json | undefined, fields: FieldReader): MaxCost | undefined {
  const amount = fields.number(value, MAX_COST);
  if (amount === undefined) return undefined;
  return amount > 0 ? { amount, field: MAX_COST } : fields.invalid(MAX_COST, 'must_be_above', { limit: 0 });
}

/**
 * Judges what has been read.
 *
 * @throws GatewayError `invalid_request` with all that is wrong, and whatever the reader's `takeMemory` throws.
 */
export async function requireSound(fields: FieldReader, param: string, imageType: string): Promise<void> {
  if (fields.links.length > MAX_IMAGE_LINKS) {
    fields.invalid(param, 'too_many_items_of_type', { limit: MAX_IMAGE_LINKS, type: imageType });
  }
  await fields.parseTexts();
  refuseAll(fields.faults);
}
