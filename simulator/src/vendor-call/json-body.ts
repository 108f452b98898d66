import type { ErrorObject } from 'ajv';
import type { Request } from 'express';
import type { Call, JsonObject, Refusal } from './contract';
import { isJsonObject, parseJson, readBytes } from './request-body';
import { compileShape, type Fields, pathOf } from './shape';

/**
 * Reads the JSON object that a body is; throws the vendor's refusal of one that is none, or longer than `maxBytes`. `look` throws one for
 * its bytes.
 */
export function jsonReader(
  maxBytes: number,
  refuse: (requestId: string) => Refusal,
  look?: (request: Request, bytes: Buffer) => void,
) {
  return async (request: Request, requestId = ''): Promise<JsonObject> => {
    const read = await readBytes(request, maxBytes);
    if (read.kind === 'bytes') look?.(request, read.bytes);
    const body = read.kind === 'bytes' ? parseJson(read.bytes) : undefined;
    if (isJsonObject(body)) return body;
    throw refuse(requestId);
  };
}

/** A check that gives the typed body, or throws the vendor's refusal; unknown fields are ignored by the vendor, and warned of. */
export function bodyCheck<
  const Properties extends object,
  const Required extends string,
  T = Fields<Properties, Required>,
>(
  { properties, required, where }: { properties: Properties; required: readonly Required[]; where?: string },
  refuse: (sentence: string, requestId: string, error: ErrorObject) => Refusal,
) {
  const check = compileShape<object, T>({ type: 'object', required, properties });
  return (body: JsonObject, { requestId, warn }: Pick<Call, 'requestId' | 'warn'>): T => {
    const shape = check(body);
    if (!shape.ok) {
      const { message = 'is wrong' } = shape.error;
      throw refuse(`${pathOf(shape.error).join('.')} ${message}`, requestId, shape.error);
    }
    for (const name of Object.keys(body)) {
      if (!Object.hasOwn(properties, name)) warn(`unknown field '${name.slice(0, 60)}'${where ? ` for ${where}` : ''}`);
    }
    return shape.value;
  };
}
