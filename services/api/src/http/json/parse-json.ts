import { isUtf8 } from 'node:buffer';
import type { Json } from '@mediagate/contracts';

declare const JUDGED: unique symbol;
/** JSON that `JsonReader` found to be within its limits. */
export type JudgedJson = Buffer & { readonly [JUDGED]: true };

/** The same as text. */
export type JudgedText = string & { readonly [JUDGED]: true };

/** Undefined: it is not in UTF-8. */
export function decodeJson(json: JudgedJson): JudgedText | undefined {
  return isUtf8(json) ? (json.toString('utf8') as JudgedText) : undefined;
}

/**
 * The one place where a caller's JSON becomes values. Undefined: it is no JSON.
 *
 * @param refuse is called with the parser's error where the text is no JSON.
 */
export function parseJson(text: JudgedText | undefined, refuse?: (error: unknown) => never): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    // The parser's own message quotes what was sent, so it is not passed on.
    return refuse?.(error);
  }
}
