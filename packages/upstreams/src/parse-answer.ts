/** Levels of a vendor's JSON: far more than any has, and few enough for whatever walks through it by recursion. */
const ANSWER_MAX_LEVELS = 256;
/** A shorter text cannot hold more levels. */
const SHALLOW_CHARACTERS = 2 * ANSWER_MAX_LEVELS;

/** The one place where a vendor's answer becomes values. Undefined: it is no JSON, or has too many levels. */
export function parseAnswer(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return text.length <= SHALLOW_CHARACTERS || isWithin(value, ANSWER_MAX_LEVELS) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value has no more levels of objects and arrays. */
export function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isWithin(member, levels - 1));
}
