import { type Json, type JsonObject, nanoToNumber } from '@mediagate/contracts';

const NANO = '_nano';

/** Amounts in currency units, under names without their unit. */
export function figuresInUnits(figures: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => inUnits(name, value)));
}

function inUnits(name: string, value: Json): [string, Json] {
  return name.endsWith(NANO) ? [name.slice(0, -NANO.length), nanoToNumber(BigInt(String(value)))] : [name, value];
}
