import { Ajv, type ErrorObject } from 'ajv';
import type { JsonObject } from './contract';

export type ShapeCheck<T> = { ok: true; value: T } | { ok: false; error: ErrorObject };

/** The type of the values that a JSON Schema takes, as far as the schemas here say it. */
export type Of<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { const: infer Value }
    ? Value
    : Schema extends { type: infer Type }
      ? OfType<Type extends readonly (infer Name)[] ? Name : Type, Schema>
      : unknown;

type OfType<Name, Schema> = Name extends keyof Plain
  ? Plain[Name]
  : Name extends 'array'
    ? (Schema extends { items: infer Item } ? Of<Item> : unknown)[]
    : Schema extends { properties: infer Properties }
      ? Fields<Properties, Schema extends { required: readonly (infer Name)[] } ? Name : never>
      : JsonObject;

interface Plain {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

/** An object of these properties, of which the required ones are always there. */
export type Fields<Properties, Required = never> = {
  [Name in keyof Properties as Name extends Required ? Name : never]: Of<Properties[Name]>;
} & { [Name in keyof Properties as Name extends Required ? never : Name]?: Of<Properties[Name]> };

/** An object of the properties of any of these sets. */
export type AnyOf<Sets> = {
  [Name in Sets extends unknown ? keyof Sets : never]?: Sets extends Record<Name, infer Schema> ? Of<Schema> : never;
};

/** Compiles a JSON Schema into a check that gives the typed value or the first fault, for a vendor to word. */
export function compileShape<const Schema extends object, T = Of<Schema>>(
  schema: Schema,
): (value: unknown) => ShapeCheck<T> {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, verbose: true });
  const validate = ajv.compile<T>(schema);
  return (value) => {
    if (validate(value)) return { ok: true, value };
    const [error] = validate.errors ?? [];
    if (!error) throw new Error('Ajv refused a value without saying why');
    return { ok: false, error };
  };
}

/** The schema of an object that has no other properties. */
export const closedObject = <const Properties extends object, const Required extends string = never>(
  properties: Properties,
  required: Required[] = [],
) => ({ type: 'object', additionalProperties: false, properties, required }) as const;

/** `/images/0/image_url` as its steps: `['images', '0', 'image_url']`, with the key that a fault adds or misses. */
export function pathOf(error: ErrorObject): string[] {
  const steps = error.instancePath.split('/').slice(1);
  const key: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
  return typeof key === 'string' ? [...steps, key] : steps;
}
