import { type Json, type JsonObject, type Message, message } from '@mediagate/contracts';
import type { CatalogueEntry, ParsedInput, RejectedInput } from './entry';
import { type KnownFields, MAX_UNKNOWN_NAMED, pickKnown, type Spellings } from './known-fields';
import { createNearNameJudge, createReviewJudge, type PricedFields, refusalOf } from './near-names';
import { type Rule, type RuleOutcome, reject, rejected, together } from './rules';
import { createSchemaJudge, type Misfit } from './schema-judge';
import { findUnsupported, SUBMISSION_FIELDS } from './submission-fields';

/** The part of JSON Schema that the parser itself looks at; Ajv reads the rest. */
export interface InputSchema {
  properties: Record<string, JsonObject>;
  required?: string[];
}

interface InputParts {
  schema: InputSchema;
  read: (body: JsonObject) => JsonObject;
  canonical: Spellings;
  ignores: (input: JsonObject) => readonly string[];
  rules: readonly Rule<JsonObject>[];
  unsupportedParameters: readonly string[];
  pricedFields: PricedFields;
  /** Goes to the upstream as it came and is not kept, so that the body's own bound is enough. */
  isPassedOn: boolean;
}

/** The doors of a `CatalogueEntry`, where both are described. */
type InputParser = Pick<CatalogueEntry, 'compile' | 'parse'>;

/** Limit of a value whose schema gives it no shape, such as `metadata`: every read of the task's row reads it, too. */
const MAX_SHAPELESS_CHARACTERS = 16_384;

const NOT_MODEL_INPUT = new Set(['model', ...Object.keys(SUBMISSION_FIELDS)]);

/**
 * The one way in for a model's input: known fields only, blank strings as missing, choices in their canonical letter case,
 * defaults applied, schema and rules satisfied. A refused body gets all its faults: those of its schema, and by
 * every rule that reads no field which is wrong already.
 */
export function createInputParser(parts: InputParts): InputParser {
  const { schema, read, canonical, ignores, rules, unsupportedParameters, pricedFields, isPassedOn } = parts;
  const { compile, findFaults } = createSchemaJudge(schema);
  const findFaultsOfRead = createFaultFinder(findFaults, parts);
  // Whatever else a text's body holds is passed on as it is.
  const findNearNames = isOpen(schema)
    ? createReviewJudge(schema.properties)
    : createNearNameJudge(schema.properties, pricedFields);
  const shapeless = isPassedOn ? [] : shapelessFields(schema);
  function parse(body: JsonObject): ParsedInput | RejectedInput {
    const documented = read(body);
    const refusals = [...findUnsupported(body, unsupportedParameters), ...findNearNames(documented)];
    const known = pickKnown(documented, schema, { canonical, notInput: NOT_MODEL_INPUT });
    const { input, misspelt } = known;
    refusals.push(...misspelt.map(({ field, other }) => rejected(refusalOf(field, [other]))));
    const dropped = ignores(input).filter((field) => Object.hasOwn(input, field));
    for (const field of dropped) delete input[field];
    const sent = new Set(Object.keys(input));
    const misfit = findFaultsOfRead(input, sent);
    if (misfit) refusals.push(misfit.refusal);
    if (misfit && !misfit.wrongFields) return together(refusals) ?? misfit.refusal;
    const sound = misfit?.wrongFields ? withoutFields(input, misfit.wrongFields) : input;
    refusals.push(...shapeless.filter((field) => lengthOf(input[field]) > MAX_SHAPELESS_CHARACTERS).map(tooMuch));
    const warnings = warnOfUnknown(known);
    for (const rule of rules) {
      const outcome = judge(rule, sound, sent);
      if (outcome === undefined) continue;
      if ('ok' in outcome) refusals.push(outcome);
      else if ('ignore' in outcome) {
        setField(input, outcome.ignore, schema.properties[outcome.ignore]?.['default']);
        if (sent.has(outcome.ignore)) warnings.push(outcome.warning);
      } else {
        for (const [field, value] of Object.entries(outcome.rewrite)) setField(input, field, value as Json | undefined);
        if (outcome.warning !== undefined) warnings.push(outcome.warning);
      }
    }
    return together(refusals) ?? { ok: true, input, warnings, ...(dropped.length > 0 ? { dropped } : {}) };
  }
  return { compile, parse };
}

type FindFaults = ReturnType<typeof createSchemaJudge>['findFaults'];

/**
 * A wrong value in a field that a rule ignores is no fault: the field gets its default, and the schema judges the input again, as long as
 * that takes such a field away.
 */
function createFaultFinder(
  findFaults: FindFaults,
  { rules, schema: { properties } }: Pick<InputParts, 'rules' | 'schema'>,
): (input: JsonObject, sent: ReadonlySet<string>) => Misfit | undefined {
  return (input, sent) => {
    let misfit = findFaults(input);
    for (let round = 0; misfit !== undefined && round < rules.length; round += 1) {
      const { wrongFields, knownFields } = misfit;
      const sound = withoutFields(input, knownFields);
      const outcomes = rules.map((rule) => judge(rule, sound, sent, { isReadable: wrongFields !== undefined }));
      const ignored = outcomes.flatMap((outcome) => (outcome && 'ignore' in outcome ? [outcome.ignore] : []));
      const wrong = ignored.filter((field) => knownFields.has(field));
      if (wrong.length === 0) return misfit;
      for (const field of wrong) setField(input, field, properties[field]?.['default']);
      misfit = findFaults(input);
    }
    return misfit;
  };
}

const UNREADABLE = new Error('a rule read a field that is wrong');

/** The input for rules. Reading one of `fields` throws: the schema refused it, so that its value may be of any type. */
function withoutFields(input: JsonObject, fields: ReadonlySet<string>): JsonObject {
  function guard(field: string | symbol): void {
    if (fields.has(String(field))) throw UNREADABLE;
  }
  return new Proxy(input, {
    get(target, field) {
      guard(field);
      return Reflect.get(target, field);
    },
    has(target, field) {
      guard(field);
      return Reflect.has(target, field);
    },
    getOwnPropertyDescriptor(target, field) {
      guard(field);
      return Reflect.getOwnPropertyDescriptor(target, field);
    },
  });
}

/** Nothing, where the rule reads a field that is wrong; also one that nobody knows of, unless the input `isReadable` but for those known. */
function judge(
  rule: Rule<JsonObject>,
  input: JsonObject,
  sent: ReadonlySet<string>,
  { isReadable = true } = {},
): RuleOutcome {
  try {
    return rule(input, sent);
  } catch (error) {
    if (error === UNREADABLE || !isReadable) return undefined;
    throw error;
  }
}

function isOpen(schema: InputSchema & { additionalProperties?: boolean }): boolean {
  return schema.additionalProperties === true;
}

function shapelessFields({ properties }: InputSchema): string[] {
  const fields = Object.entries(properties).filter(([, { type, properties: shape }]) => type === 'object' && !shape);
  return fields.map(([field]) => field);
}

function lengthOf(value: Json | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

function tooMuch(field: string): RejectedInput {
  return reject(field, 'too_many_characters_of_json', { limit: MAX_SHAPELESS_CHARACTERS });
}

/** The warnings about fields that were ignored, by their paths. */
export function warnOfUnknownFields(fields: readonly string[]): Message[] {
  return warnOfUnknown({ unknown: fields.slice(0, MAX_UNKNOWN_NAMED), unknownCount: fields.length });
}

function warnOfUnknown({ unknown, unknownCount }: Pick<KnownFields, 'unknown' | 'unknownCount'>): Message[] {
  const warnings = unknown.map((field) => message('ignored_unknown', { field }));
  const unnamed = unknownCount - unknown.length;
  return unnamed > 0 ? [...warnings, message('ignored_more_unknown', { count: unnamed })] : warnings;
}

function setField(input: JsonObject, field: string, value: Json | undefined): void {
  if (value === undefined) delete input[field];
  else input[field] = value;
}
