import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import type { RejectedInput } from './entry';
import { rejected, together } from './rules';
import { schemaFailures } from './schema-error';

/** Keywords for models that the configuration describes: they mark fields that name files, and fields that change no price. */
const OWN_KEYWORDS = ['mediagate-media', 'mediagate-max-bytes', 'mediagate-unpriced'] as const;

const OPTIONS: Options = {
  strict: true,
  allowUnionTypes: true,
  useDefaults: true,
  verbose: true,
  keywords: [...OWN_KEYWORDS],
};
/** One for all models: each would compile the schema of schemas for itself, which takes longer than its own. */
const TO_THE_FIRST = new Ajv(OPTIONS);
/** Gets only schemas that the other has found valid. */
const TO_THE_LAST = new Ajv({ ...OPTIONS, allErrors: true, validateSchema: false });

/** Values of an input whose every fault is looked for; a larger one, which may hold a fault in each, gets its first alone. */
const MAX_JUDGED_VALUES = 1000;
/** In all texts of such an input together. */
const MAX_JUDGED_CHARACTERS = 1_000_000;

export interface Misfit {
  refusal: RejectedInput;
  /** Fields at the top that are wrong, or hold what is. Undefined: not all are known. */
  wrongFields: ReadonlySet<string> | undefined;
  /** Wrong fields at the top that are known. */
  knownFields: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

interface SchemaJudge {
  /** @throws Error on a schema that strict Ajv refuses. */
  compile(): void;
  /** Compiles the schema at its first call. */
  findFaults(input: JsonObject): Misfit | undefined;
}

/**
 * Finds the faults of an input by its schema; undefined: it fits, and has its defaults. Ajv stops at the first fault, which is
 * reported first. Only then are the others looked for, and only in an input no larger than people write: a hostile input could
 * have as many faults as values.
 */
export function createSchemaJudge(published: object): SchemaJudge {
  const schema = withoutEmptyBounds(published as JsonObject) as JsonObject;
  let validate: ValidateFunction<JsonObject> | undefined;
  let validateAll: ValidateFunction | undefined;
  function compiled(): ValidateFunction<JsonObject> {
    validate ??= compileBy<JsonObject>(TO_THE_FIRST, schema);
    return validate;
  }
  function findFaults(input: JsonObject): Misfit | undefined {
    const validate = compiled();
    if (validate(input)) return undefined;
    const first = refusalOf(validate);
    const firstField = topFields(validate.errors ?? []) ?? NONE;
    if (!isSmall(input)) return { refusal: first, wrongFields: undefined, knownFields: firstField };
    validateAll ??= compileBy(TO_THE_LAST, schema);
    validateAll(input);
    const wrongFields = topFields(validateAll.errors ?? []);
    const refusal = together([first, refusalOf(validateAll)]) ?? first;
    return { refusal, wrongFields, knownFields: wrongFields ?? firstField };
  }
  return { compile: () => void compiled(), findFaults };
}

/** Ajv would keep every schema for ever, those of configurations that have been read anew included. */
function compileBy<Input>(ajv: Ajv, schema: object): ValidateFunction<Input> {
  try {
    return ajv.compile<Input>(schema);
  } finally {
    ajv.removeSchema(schema);
  }
}

/** Without `minLength: 0`, for which Ajv would count all characters of a text, although no text is too short. */
function withoutEmptyBounds(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutEmptyBounds);
  if (!isJsonObject(schema)) return schema;
  const bounds = Object.entries(schema).filter(([keyword, bound]) => keyword !== 'minLength' || bound !== 0);
  return Object.fromEntries(bounds.map(([keyword, value]) => [keyword, withoutEmptyBounds(value)]));
}

function refusalOf({ errors }: ValidateFunction): RejectedInput {
  const [first, ...further] = schemaFailures(errors ?? []);
  if (first === undefined) throw new Error('an input was refused without an error');
  return rejected(first, ...further);
}

/** Undefined: an error is about the input as a whole. */
function topFields(errors: readonly ErrorObject[]): ReadonlySet<string> | undefined {
  const fields = errors.map(
    ({ instancePath, params }): unknown => instancePath.split('/')[1] ?? params['missingProperty'],
  );
  return fields.every((field) => typeof field === 'string') ? new Set(fields) : undefined;
}

function isSmall(input: JsonObject): boolean {
  let values = 0;
  let characters = 0;
  const open: Json[] = [input];
  while (open.length > 0) {
    const value = open.pop();
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (values + open.length > MAX_JUDGED_VALUES || characters > MAX_JUDGED_CHARACTERS) return false;
    if (Array.isArray(value)) open.push(...value.slice(0, MAX_JUDGED_VALUES));
    else if (isJsonObject(value)) open.push(...Object.values(value).slice(0, MAX_JUDGED_VALUES));
  }
  return true;
}
