import type { JsonObject } from '../vendor-call/contract';

/** Limit on a text in an input, which may be a whole file as a data URI. */
const MAX_TEXT_CHARS = 1_000;
/** Limit on an input as JSON; of a longer one the fields at the top that fit are kept. */
const MAX_INPUT_CHARS = 16_000;

/** An input as a vendor shows it again, without what is long. */
export function shortened(input: JsonObject): JsonObject {
  let left = MAX_INPUT_CHARS;
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(input)) {
    const text = JSON.stringify([name, value], cut);
    if (text.length > left) continue;
    left -= text.length;
    kept[name] = (JSON.parse(text) as [string, JsonObject[string]])[1];
  }
  return kept;
}

function cut(_: string, value: unknown): unknown {
  return typeof value === 'string' ? beginningOf(value, MAX_TEXT_CHARS) : value;
}

/** A slice would keep the whole text that it was cut from in memory. */
export function beginningOf(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : Buffer.from(text.slice(0, maxChars)).toString();
}
