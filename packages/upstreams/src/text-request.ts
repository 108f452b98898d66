import type { Json, JsonObject } from '@mediagate/contracts';
import { list, object } from './json-guards';

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
