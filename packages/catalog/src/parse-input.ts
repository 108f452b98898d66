import type { Json, JsonObject } from '@mediagate/contracts';
import Ajv from 'ajv';
import type { ParsedInput, RejectedInput } from './entry';
import type { Rule } from './rules';
import { describeSchemaError } from './schema-error';
import { findUnsupported, SUBMISSION_FIELDS } from './submission-fields';

/** The part of JSON Schema that the parser itself looks at; Ajv reads the rest. */
export interface InputSchema {
  properties: Record<string, JsonObject>;
  required?: string[];
}

interface InputParts {
  schema: InputSchema;
  canonical: Readonly<Record<string, (text: string) => string>>;
  rules: readonly Rule<JsonObject>[];
  unsupportedParameters: readonly string[];
}

const NOT_MODEL_INPUT = new Set(['model', ...Object.keys(SUBMISSION_FIELDS)]);
/** Unknown fields named in warnings; a body may hold thousands. */
const MAX_UNKNOWN_NAMED = 20;
/** Characters of an unknown field's name that a warning repeats. */
const MAX_NAME_LENGTH = 64;

/**
 * The one way in for a model's input: known fields only, blank strings as missing, choices in their canonical letter case,
 * defaults applied, schema and rules satisfied. Throws here, at start-up, on a schema that strict Ajv refuses.
 */
export function createInputParser(parts: InputParts): (body: JsonObject) => ParsedInput | RejectedInput {
  const { schema, rules, unsupportedParameters } = parts;
  const ajv = new Ajv({ strict: true, useDefaults: true, verbose: true });
  const validate = ajv.compile<JsonObject>(schema);
  return (body) => {
    const refused = findUnsupported(body, unsupportedParameters);
    if (refused) return refused;
    const input = pickKnown(body, parts);
    const sent = new Set(Object.keys(input));
    if (!validate(input)) return describeSchemaError(validate.errors?.[0]);
    const warnings = unknownFields(body, schema);
    for (const rule of rules) {
      const outcome = rule(input);
      if (outcome === undefined) continue;
      if ('ok' in outcome) return outcome;
      resetField(input, outcome.ignore, schema);
      if (sent.has(outcome.ignore)) warnings.push(`${outcome.ignore} was ignored: ${outcome.because}`);
    }
    return { ok: true, input, warnings };
  };
}

function pickKnown(body: JsonObject, { schema, canonical }: InputParts): JsonObject {
  const input: JsonObject = {};
  for (const [field, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(body, field)) continue;
    const value = body[field] as Json;
    if (typeof value !== 'string' || ![property['type']].flat().includes('string')) input[field] = value;
    else if (value.trim() !== '') input[field] = canonicalText(value, property, canonical[field]);
  }
  return input;
}

function canonicalText(text: string, property: JsonObject, canonical: ((text: string) => string) | undefined): string {
  if (canonical) return canonical(text);
  const choices = property['enum'];
  if (!Array.isArray(choices)) return text;
  const wanted = text.trim().toLowerCase();
  const choice = choices.find((known) => typeof known === 'string' && known.toLowerCase() === wanted);
  return typeof choice === 'string' ? choice : text;
}

function unknownFields(body: JsonObject, schema: InputSchema): string[] {
  const unknown = Object.keys(body).filter(
    (field) => !Object.hasOwn(schema.properties, field) && !NOT_MODEL_INPUT.has(field),
  );
  const warnings = unknown
    .slice(0, MAX_UNKNOWN_NAMED)
    .map((field) => `${beginning(field)} was ignored: the model has no such field`);
  const unnamed = unknown.length - warnings.length;
  return unnamed > 0 ? [...warnings, `${unnamed} more unknown fields were ignored`] : warnings;
}

/** Cut between characters: half of a surrogate pair could not be stored. */
function beginning(name: string): string {
  return Array.from(name).slice(0, MAX_NAME_LENGTH).join('');
}

function resetField(input: JsonObject, field: string, schema: InputSchema): void {
  const preset = schema.properties[field]?.['default'];
  if (preset === undefined) delete input[field];
  else input[field] = preset;
}
