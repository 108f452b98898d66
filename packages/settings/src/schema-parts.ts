import { type JsonObject, SECRET_NAME } from '@mediagate/contracts';

/* The pieces of which the schema of the configuration file is made. */

/** A schema, and the type of the values that it lets pass once their defaults are filled in. */
export type Schema<Value> = JsonObject & { readonly [VALUE]?: Value };
export type ValueOf<Part> = Part extends Schema<infer Value> ? Value : unknown;
declare const VALUE: unique symbol;

export function map<Fields extends JsonObject>(
  description: string,
  properties: Fields,
): Schema<{ [Name in keyof Fields]: ValueOf<Fields[Name]> }> {
  return { type: 'object', ...(description && { description }), properties, additionalProperties: false };
}

/** An absent section is an empty one, and so has the defaults of its fields. */
export function optional<Value>(section: Schema<Value>): Schema<Value> {
  return { ...section, default: {} };
}

export function list<Item>(items: Schema<Item>, rest: JsonObject): Schema<Item[]> {
  return { type: 'array', items, ...rest };
}

export function text(rest: JsonObject): Schema<string> {
  return { type: 'string', ...rest };
}

export function integer(
  range: { minimum: number; maximum: number; default?: number },
  description?: string,
): Schema<number> {
  return { type: 'integer', ...range, ...(description !== undefined && { description }) };
}

const REFERENCE = '^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$';

/** Or of a file, or of the database. */
const VENDOR_REFERENCE = `^\\$\\{(?:[A-Za-z_][A-Za-z0-9_]*|file:/[^}]+|secret:${SECRET_NAME})\\}$`;

export function isSecret({ pattern }: JsonObject): boolean {
  return pattern === REFERENCE || pattern === VENDOR_REFERENCE;
}

/** Nothing but one reference, so that no secret is ever written into the file. */
export function secret(description: string): JsonObject {
  return {
    type: 'string',
    description,
    pattern: REFERENCE,
    errorMessage: `is a secret: put it into an environment variable and write \${NAME_OF_THE_VARIABLE} here`,
  };
}

export function oneOf(names: ReadonlySet<string>, problem: string): JsonObject {
  const sorted = [...names].sort();
  return { enum: sorted, errorMessage: `${problem}: use one of ${sorted.join(', ')}` };
}

/** One of a few words, of which the first is the default. */
export function choice<const Word extends string>(words: readonly Word[], description: string): Schema<Word> {
  return { type: 'string', description, ...oneOf(new Set(words), 'no such choice'), default: words[0] ?? '' };
}

/** The same, or the name of a file or of a secret of the database, which are read again while the service runs. */
export function vendorSecret(description: string): JsonObject {
  return {
    type: 'string',
    description,
    pattern: VENDOR_REFERENCE,
    errorMessage: `is a secret: put it into an environment variable, a file or the database, and write \${NAME_OF_THE_VARIABLE}, \${file:/path/of/it} or \${secret:its-name} here`,
  };
}
