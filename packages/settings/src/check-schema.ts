import { isIP } from 'node:net';
import type { Json, JsonObject } from '@mediagate/contracts';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { joinField } from './document';
import type { Faults } from './faults';
import { isDay } from './served-model';

/** Judges a file's values by the schema, and fills in its defaults. What is wrong is recorded by field. */
export function checkSchema(value: JsonObject, schema: JsonObject, faults: Faults): void {
  const validate = compiled(schema);
  if (validate(value)) return;
  for (const error of validate.errors ?? []) {
    if (!REPEATED.has(error.keyword) && error.propertyName === undefined)
      faults.add(fieldOf(error, value), messageOf(error));
  }
}

/** The last schema that was compiled: compiling takes longer than all else in reading a file. */
let last: { schema: string; validate: ValidateFunction } | undefined;

function compiled(schema: JsonObject): ValidateFunction {
  const text = JSON.stringify(schema);
  if (last?.schema !== text) last = { schema: text, validate: compile(schema) };
  return last.validate;
}

function compile(schema: JsonObject): ValidateFunction {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    useDefaults: true,
    strict: true,
    allowUnionTypes: true,
    // Both would take most of the time here. The schema is ours and is judged in a test; it judges one file a start.
    validateSchema: false,
    code: { optimize: false },
    // The branches of an `if` name neither types nor fields again.
    strictTypes: false,
    strictRequired: false,
  });
  ajv.addVocabulary(['errorMessage', 'typeMessage']);
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  return ajv.compile(schema);
}

/** These only say that a schema within them failed, which has an error of its own. */
const REPEATED: ReadonlySet<string> = new Set(['if']);

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  cidr: isCidr,
  origin: isOrigin,
  day: isDay,
  'http-url': (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
};

function isCidr(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return false;
  return Number(prefix) <= (version === 4 ? 32 : 128);
}

/** Whether a text is an origin as browsers write it, so that comparing it with a URL's origin is enough. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/** The field that an error is about: a key that is missing, unknown or wrong is part of it. */
function fieldOf({ instancePath, keyword, params }: ErrorObject, root: Json): string {
  let field = '';
  let value = root;
  for (const segment of instancePath.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    field = Array.isArray(value) ? `${field}[${key}]` : joinField(field, key);
    value = (value as Record<string, Json>)[key] as Json;
  }
  const named = {
    required: 'missingProperty',
    additionalProperties: 'additionalProperty',
    propertyNames: 'propertyName',
  }[keyword];
  return named === undefined ? field : joinField(field, params[named] as string);
}

function messageOf({ keyword, schema, parentSchema = {} }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return `unknown key: use one of ${Object.keys(parentSchema['properties'] as object).join(', ')}`;
    case 'propertyNames':
      return (schema as { errorMessage: string }).errorMessage;
    case 'type':
    case 'minimum':
    case 'maximum':
      return typeMessage(parentSchema);
    case 'enum':
      return parentSchema['errorMessage'] ?? `must be one of ${(schema as string[]).join(', ')}`;
    default:
      return parentSchema['errorMessage'] ?? 'is not as it must be';
  }
}

function typeMessage({ type, minimum, maximum, typeMessage: own }: Record<string, unknown>): string {
  switch (type) {
    case 'integer':
      return `must be a whole number from ${minimum} to ${maximum}`;
    case 'string':
      return 'must be text; put it in quotes';
    case 'boolean':
      return 'must be true or false';
    case 'object':
      return 'must be a map, as in "key: value"';
    case 'array':
      return 'must be a list, as in "[a, b]"';
    default:
      return String(own);
  }
}
