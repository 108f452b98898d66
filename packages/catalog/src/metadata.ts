import { isJsonObject, type Json } from '@mediagate/contracts';
import type { RejectedInput } from './entry';
import { reject } from './rules';

const MAX_ENTRIES = 16;
const NAME_MAX_CHARACTERS = 64;
const VALUE_MAX_CHARACTERS = 512;

export const METADATA_SCHEMA = {
  type: 'object',
  maxProperties: MAX_ENTRIES,
  propertyNames: { type: 'string', minLength: 1, maxLength: NAME_MAX_CHARACTERS },
  additionalProperties: { type: 'string', maxLength: VALUE_MAX_CHARACTERS },
  description: 'Yours: shown in the record and in the callback, and never passed on.',
} as const;

/** The faults in the metadata of a submission. */
export function metadataFaults(metadata: Json): RejectedInput[] {
  if (!isJsonObject(metadata)) return [reject('metadata', 'must_be_object')];
  const entries = Object.entries(metadata);
  if (entries.length > MAX_ENTRIES) return [reject('metadata', 'too_many_entries', { limit: MAX_ENTRIES })];
  return entries.flatMap(([name, value]) => entryFaults(name, value));
}

function entryFaults(name: string, value: Json): RejectedInput[] {
  if (name === '' || isLonger(name, NAME_MAX_CHARACTERS)) {
    return [reject('metadata', 'entry_name_length', { limit: NAME_MAX_CHARACTERS })];
  }
  const field = `metadata.${name}`;
  if (typeof value !== 'string') return [reject(field, 'must_be_string')];
  if (!isLonger(value, VALUE_MAX_CHARACTERS)) return [];
  return [reject(field, 'too_many_characters', { limit: VALUE_MAX_CHARACTERS })];
}

/** By characters as the database and JSON Schema count them, of which each has two units at most. */
function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || Array.from(text).length > limit;
}
