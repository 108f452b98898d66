import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';

/** Values by the names of fields; others follow from their types. */
const BY_NAME: Readonly<Record<string, Json>> = {
  id: '01kb8x3v5e0a9c7d2m4n6p8q1r',
  task_id: 'task_01kb8x3v5e0a9c7d2m4n6p8q1r',
  parent_task_id: 'task_01kb8x3v5e0a9c7d2m4n6p8q1q',
  account_id: 'acct_01kb8x3v5e0a9c7d2m4n6p8q1r',
  key_id: '9f3c2a7b51de',
  request_id: 'c3b8a1f0-5d2e-4f7a-9c61-0e8d4b2a7f35',
  name: 'Studio',
  email: 'studio@example.com',
  model: 'imagegen-2.5-flare',
  currency: 'USD',
  prompt: 'a lighthouse',
};
const URL_FIELD = /(?:^|_)(?:urls?|webhook|origin)$/;
const MOMENT_FIELD = /(?:_at|_until|^created|^completed|^from|^to)$/;
const MOMENT_SECONDS = 1_795_232_155;
const MONEY_FIELD = /(?:cost|amount|balance|reserved|charged|held|price)/;

/** Makes a value that fits a schema, for readers: every field once, lists with one item. `schemas` has what `$ref` names. */
export function exampleOf(schema: JsonObject, schemas: JsonObject): Json {
  return new Sampler(schemas).sample(schema, '') ?? {};
}

class Sampler {
  readonly #schemas: JsonObject;
  /** Names of schemas that are being sampled: one within itself is left out. */
  readonly #open = new Set<string>();

  constructor(schemas: JsonObject) {
    this.#schemas = schemas;
  }

  sample(schema: JsonObject, name: string): Json | undefined {
    if (typeof schema['$ref'] === 'string') return this.#referred(schema['$ref'].split('/').at(-1) ?? '', name);
    if ('const' in schema) return schema['const'] as Json;
    const [word] = (schema['enum'] ?? schema['x-extensible-enum'] ?? []) as Json[];
    if (word !== undefined) return word;
    const choices = (schema['oneOf'] ?? schema['anyOf'] ?? []) as JsonObject[];
    const choice = choices.find(({ type }) => type !== 'null');
    if (choice !== undefined) return this.sample(choice, name);
    return this.#byType(schema, name);
  }

  #referred(target: string, name: string): Json | undefined {
    if (this.#open.has(target)) return undefined;
    this.#open.add(target);
    const value = this.sample(this.#schemas[target] as JsonObject, name);
    this.#open.delete(target);
    return value;
  }

  #byType(schema: JsonObject, name: string): Json | undefined {
    const types = [schema['type']].flat();
    const type = types.find((each) => each !== 'null');
    if (type === undefined && types.includes('null')) return null;
    if (type === 'object') return this.#object(schema);
    if (type === 'array') {
      const item = this.sample((schema['items'] ?? {}) as JsonObject, name.replace(/s$/, ''));
      return item === undefined ? [] : [item];
    }
    if (type === 'boolean') return false;
    return type === 'string' ? textOf(schema, name) : numberOf(schema, name, type === 'integer');
  }

  #object({ properties }: JsonObject): JsonObject {
    const fields = Object.entries((properties ?? {}) as Record<string, JsonObject>).map(
      ([field, its]) => [field, isJsonObject(its) ? this.sample(its, field) : undefined] as const,
    );
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as JsonObject;
  }
}

function textOf({ format, pattern }: JsonObject, name: string): Json | undefined {
  if (pattern !== undefined) return undefined;
  const known = BY_NAME[name];
  if (known !== undefined) return known;
  if (format === 'date-time') return new Date(MOMENT_SECONDS * 1000).toISOString();
  return URL_FIELD.test(name) ? 'https://media.example.com/v1/files/01kb8x3v.png' : name;
}

function numberOf({ minimum }: JsonObject, name: string, isWhole: boolean): Json {
  if (MOMENT_FIELD.test(name)) return MOMENT_SECONDS;
  if (!isWhole && MONEY_FIELD.test(name)) return 0.04;
  return typeof minimum === 'number' ? minimum : 1;
}
