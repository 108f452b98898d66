import type { CatalogueEntry } from '@mediagate/catalog';
import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import fc from 'fast-check';

/** Asks for a review, which prices nothing. */
const REVIEW = 'nsfw_check';
/** Fields left unchanged: they do not describe the work itself. */
const LEFT_ALONE = new Set(['model', 'webhook', 'metadata', 'max_cost', 'expires_in', REVIEW]);

/**
 * An example of the entry with some of its fields left out or changed for other values that their schemas allow: most such
 * bodies are right, and the others are wrong as callers' are.
 */
export function randomBody(entry: CatalogueEntry): fc.Arbitrary<JsonObject> {
  const properties = entry.schema['properties'] as Record<string, JsonObject>;
  const fields = Object.keys(properties).filter((field) => !LEFT_ALONE.has(field));
  const change = fc
    .constantFrom(...fields)
    .chain((field) => fc.tuple(fc.constant(field), anyValue(properties[field] ?? {})));
  return fc.tuple(fc.constantFrom(...entry.examples), fc.array(change, { maxLength: 3 })).map(([example, changes]) => {
    const plain = changed(example, REVIEW, undefined);
    return changes.reduce((body, [field, value]) => changed(body, field, value), plain);
  });
}

function changed(body: JsonObject, field: string, value: Json | undefined): JsonObject {
  const { [field]: _, ...others } = body;
  return value === undefined ? others : { ...others, [field]: value };
}

function anyValue(schema: JsonObject): fc.Arbitrary<Json | undefined> {
  const { enum: choices, type, minimum = 0, maximum = 20 } = schema;
  if (Array.isArray(choices)) return fc.constantFrom(...choices, undefined);
  const [min, max] = [Number(minimum), Number(maximum)];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min, max });
    case 'number':
      return fc
        .integer({ min: Math.ceil(min * 100), max: Math.floor(max * 100) })
        .map((hundredths) => hundredths / 100);
    case 'string':
      return fc.oneof(
        fc.constantFrom('auto', '1:1', '16:9', '2k', '1024x1024', 'high', undefined),
        fc.string({ maxLength: 200 }),
      );
    case 'array':
      return fc.array(fc.constantFrom(...itemsOf(schema)), { maxLength: 4 });
    default:
      return fc.constant(undefined);
  }
}

function itemsOf({ items }: JsonObject): Json[] {
  const choices = isJsonObject(items) ? items['enum'] : undefined;
  return Array.isArray(choices) ? choices : ['https://example.com/a.png', 'https://example.com/b.png'];
}
