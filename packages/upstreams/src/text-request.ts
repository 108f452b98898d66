import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { Lack } from './contract';
import { list, object, text } from './json-guards';
import { imageLack } from './lacks';

/** A field under either of its names: `systemInstruction`, or `system_instruction` as the wire writes it. */
export function field(of: JsonObject, name: string): Json | undefined {
  const value = of[name];
  return value === undefined ? of[name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)] : value;
}

export function turnsOf(request: JsonObject): JsonObject[] {
  return (list(field(request, 'contents')) ?? []).map(object);
}

/** One part of an instruction may stand without a list. */
export function partsOf(turn: unknown): JsonObject[] {
  const { parts } = object(turn);
  return (list(parts) ?? (parts === undefined ? [] : [parts])).map(object);
}

/** The lack of a vendor that reads images of these types alone; undefined: the request has no other. */
export function lackOfImages(request: JsonObject, types: readonly string[]): Lack | undefined {
  const { contents, systemInstruction = request['system_instruction'] } = request;
  for (const turn of [systemInstruction, ...(list(contents) ?? [])]) {
    const parts = isJsonObject(turn) ? turn['parts'] : undefined;
    for (const part of list(parts) ?? [parts]) {
      const type = isJsonObject(part) ? imageTypeOf(part) : undefined;
      if (type !== undefined && !types.includes(type)) return imageLack(type, types);
    }
  }
  return undefined;
}

function imageTypeOf(part: JsonObject): string | undefined {
  const { inlineData: file = part['inline_data'] } = part;
  const type = file === undefined ? undefined : text(field(object(file), 'mimeType'))?.toLowerCase();
  return type?.startsWith('image/') ? type : undefined;
}
