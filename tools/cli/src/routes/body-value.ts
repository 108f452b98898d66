import { decimalToNano, isJsonObject, type Json } from '@mediagate/contracts';

/** The text of an option as the body's schema has it. What does not fit stays text, and the route says what is wrong with it. */
export function bodyValue(value: Json, schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return value.map((each) => bodyValue(each, schema['items']));
  if (typeof value !== 'string') return value;
  const isNumber = typesOf(schema).some((type) => type === 'number' || type === 'integer');
  return isNumber ? (exactNumber(value) ?? value) : value;
}

function typesOf(schema: Json): Json[] {
  if (!isJsonObject(schema)) return [];
  const { type = null, anyOf = [], oneOf = [] } = schema;
  const others = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
  return [...(Array.isArray(type) ? type : [type]), ...others.flatMap(typesOf)];
}

/** Undefined: it is no decimal, or a number would not be exactly that; amounts are sent as text then. */
function exactNumber(text: string): number | undefined {
  const nano = decimalToNano(text.replace(/^-/, ''));
  const number = Number(text);
  return nano !== undefined && decimalToNano(Math.abs(number).toFixed(9)) === nano ? number : undefined;
}
