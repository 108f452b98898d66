import type { Dice } from '../../media/dice';
import type { JsonObject } from '../../vendor-call/contract';
import { isJsonObject } from '../../vendor-call/request-body';

const MAX_DEPTH = 12;
const MAX_ITEMS = 20;

/** A value that the schema allows, in the vendor's dialect (`STRING`) or as JSON Schema (`string`). Texts are `text`. */
export function sampleOf(schema: JsonObject, { dice, text }: { dice: Dice; text: string }, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  const inner = (next: unknown) => (isJsonObject(next) ? sampleOf(next, { dice, text }, depth + 1) : text);
  const choices = schema['enum'];
  if (Array.isArray(choices)) return choices[Math.floor(dice.between(0, choices.length))];
  const [alternative] = [schema['anyOf']].flat();
  if (isJsonObject(alternative)) return inner(alternative);
  switch (typeOf(schema)) {
    case 'object': {
      const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
      return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, inner(property)]));
    }
    case 'array': {
      const length = Math.min(
        Math.max(numberIn(schema, 'minItems', 0), Math.min(2, numberIn(schema, 'maxItems', 2))),
        MAX_ITEMS,
      );
      return Array.from({ length }, () => inner(schema['items']));
    }
    case 'integer':
      return Math.ceil(drawn(schema, dice));
    case 'number':
      return Math.round(drawn(schema, dice) * 100) / 100;
    case 'boolean':
      return dice.between(0, 1) < 0.5;
    case 'null':
      return null;
    default:
      return text;
  }
}

function typeOf(schema: JsonObject): string {
  const [type] = [schema['type']].flat();
  if (typeof type === 'string') return type.toLowerCase();
  return isJsonObject(schema['properties']) ? 'object' : 'string';
}

function numberIn(schema: JsonObject, name: string, fallback: number): number {
  // The vendor's dialect has whole numbers as strings.
  const value = Number(schema[name] ?? Number.NaN);
  return Number.isFinite(value) ? value : fallback;
}

function drawn(schema: JsonObject, dice: Dice): number {
  const least = numberIn(schema, 'minimum', 0);
  const most = Math.max(least, numberIn(schema, 'maximum', least + 100));
  return Math.min(most, dice.between(least, most));
}
