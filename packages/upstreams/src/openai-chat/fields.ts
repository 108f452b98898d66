import type { Json, JsonObject } from '@mediagate/contracts';

/** A field under either of its names: `systemInstruction`, or `system_instruction` as the wire writes it. */
export function field(of: JsonObject, name: string): Json | undefined {
  const value = of[name];
  return value === undefined ? of[name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)] : value;
}
