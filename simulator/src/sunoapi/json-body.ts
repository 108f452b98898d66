import type { Request } from 'express';
import type { JsonObject } from '../vendor-call/contract';
import { isJsonObject, parseJson, readBytes } from '../vendor-call/request-body';
import { compileShape, pathOf } from '../vendor-call/shape';
import type { SunoapiRequest } from './fields';
import { invalid } from './wire';

/** Texts and links only. */
const MAX_BODY_BYTES = 256 * 1024;

/** The JSON object of a request; throws the vendor's refusal. */
export async function readJsonBody(request: Request): Promise<JsonObject> {
  const read = await readBytes(request, MAX_BODY_BYTES);
  const body = read.kind === 'bytes' ? parseJson(read.bytes) : undefined;
  if (isJsonObject(body)) return body;
  throw invalid('The request parameters are incorrect');
}

/** A check that gives the typed request. Fields that the path does not know are ignored by the vendor, and warned of here. */
export function compileBody(properties: Record<string, object>, required: (keyof SunoapiRequest)[]) {
  const check = compileShape<SunoapiRequest>({ type: 'object', required, properties });
  return (body: JsonObject, warn: (sentence: string) => void): SunoapiRequest => {
    const shape = check(body);
    if (!shape.ok) throw invalid(`${pathOf(shape.error).join('.')} ${shape.error.message ?? 'is wrong'}`);
    for (const name of Object.keys(body)) {
      if (!Object.hasOwn(properties, name)) warn(`unknown field '${name.slice(0, 60)}'`);
    }
    return shape.value;
  };
}
