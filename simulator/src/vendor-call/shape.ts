import { Ajv, type ErrorObject } from 'ajv';

export type ShapeCheck<T> = { ok: true; value: T } | { ok: false; error: ErrorObject };

/** Compiles a JSON Schema into a check that gives the typed value or the first fault, for a vendor to word. */
export function compileShape<T>(schema: object): (value: unknown) => ShapeCheck<T> {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, verbose: true });
  const validate = ajv.compile<T>(schema);
  return (value) => {
    if (validate(value)) return { ok: true, value };
    const [error] = validate.errors ?? [];
    if (!error) throw new Error('Ajv refused a value without saying why');
    return { ok: false, error };
  };
}

/** `/images/0/image_url` as its steps: `['images', '0', 'image_url']`, with the key that a fault adds or misses. */
export function pathOf(error: ErrorObject): string[] {
  const steps = error.instancePath.split('/').slice(1);
  const key: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
  return typeof key === 'string' ? [...steps, key] : steps;
}
