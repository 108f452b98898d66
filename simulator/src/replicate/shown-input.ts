import type { JsonObject } from '../vendor-call/contract';

/** Limit on all that is shown, as JSON. A file may stand in a field as a data URI. */
export const MAX_SHOWN_CHARS = 2_000;

/** An input as it was sent, without the fields that are too long, and of many those alone that fit. */
export function shownInput(input: JsonObject): JsonObject {
  let left = MAX_SHOWN_CHARS;
  const shown = Object.entries(input).filter(([name, value]) => {
    const { length } = JSON.stringify({ [name]: value });
    if (length > left) return false;
    left -= length;
    return true;
  });
  return Object.fromEntries(shown);
}
