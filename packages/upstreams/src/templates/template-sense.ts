import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { OptionFault } from '../contract';
import { isRequestPointer } from './request-pointers';
import { type Form, OUTPUT_ROLES, type Source, type Template } from './template';

/** Words of a value that say nothing without `from`. */
const SOURCE_WORDS: ReadonlySet<string> = new Set([
  'default',
  'required',
  'values',
  'min',
  'max',
  'max_items',
  'max_characters',
  'as',
] satisfies (keyof Source)[]);

/** Faults in templates that fit the schema and cannot be meant: misspelt words and pointers. */
export function* senseFaults(templates: Readonly<Record<string, Template>>): Generator<OptionFault> {
  for (const [name, forms] of Object.entries(templates))
    for (const [index, form] of forms.entries()) yield* formFaults(form, `${name}[${index}]`);
}

function* formFaults({ input, accepts = {}, output }: Form, field: string): Generator<OptionFault> {
  yield* mapFaults(input as JsonObject, `${field}.input`);
  const fromInput = new Set(Object.values(input as JsonObject).flatMap((part) => (isSource(part) ? [part.from] : [])));
  for (const pointer of Object.keys(accepts)) {
    yield* pointerFaults(pointer, `${field}.accepts.${pointer}`);
    if (fromInput.has(pointer))
      yield { field: `${field}.accepts.${pointer}`, problem: 'is taken by `input` already: leave it out here' };
  }
  const { keep_seconds: keep } = output;
  if (keep !== undefined) yield* pointerFaults(keep, `${field}.output.keep_seconds`);
  const [first, ...others] = OUTPUT_ROLES.filter((role) => output[role] !== undefined);
  const same = others.find((role) => first !== undefined && output[role] === output[first]);
  if (same !== undefined) yield { field: `${field}.output.${same}`, problem: `is the place of \`${first}\` already` };
}

function* partFaults(part: Json, field: string): Generator<OptionFault> {
  if (Array.isArray(part)) {
    for (const [index, item] of part.entries()) yield* partFaults(item, `${field}[${index}]`);
  } else if (isSource(part)) {
    yield* sourceFaults(part, field);
  } else if (isJsonObject(part)) {
    if ('literal' in part) return;
    if (Array.isArray(part['first_of'])) yield* choiceFaults(part, field);
    else yield* wordFaults(part, field);
  } else if (typeof part === 'string' && isRequestPointer(part)) {
    yield {
      field,
      problem: `is text as it stands: write { from: ${part} }, or { literal: ${part} } where it is meant`,
    };
  }
}

function* wordFaults(part: JsonObject, field: string): Generator<OptionFault> {
  yield* mapFaults(part, field);
  const word = Object.keys(part).find((key) => SOURCE_WORDS.has(key));
  if (word !== undefined)
    yield {
      field: `${field}.${word}`,
      problem: 'needs `from` beside it; a map of the vendor’s own goes under `literal`',
    };
}

function* mapFaults(parts: JsonObject, field: string): Generator<OptionFault> {
  for (const [key, part] of Object.entries(parts)) yield* partFaults(part, `${field}.${key}`);
}

function* choiceFaults({ first_of: parts, ...others }: JsonObject, field: string): Generator<OptionFault> {
  for (const key of Object.keys(others)) yield { field: `${field}.${key}`, problem: 'unknown key beside `first_of`' };
  yield* partFaults(parts ?? [], `${field}.first_of`);
}

function* sourceFaults({ from, min, max }: Source, field: string): Generator<OptionFault> {
  yield* pointerFaults(from, `${field}.from`);
  if (min !== undefined && max !== undefined && min > max) yield { field: `${field}.min`, problem: 'is above `max`' };
}

function* pointerFaults(pointer: string, field: string): Generator<OptionFault> {
  if (!isRequestPointer(pointer))
    yield { field, problem: 'no request has a value there: docs/model-templates.md lists what requests have' };
}

function isSource(part: Json): part is JsonObject & Source {
  return isJsonObject(part) && 'from' in part;
}
