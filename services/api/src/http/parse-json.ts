import { isUtf8 } from 'node:buffer';
import type { Json } from '@mediagate/contracts';

declare const JUDGED: unique symbol;
/** What `JsonReader` found to be within its limits. */
export type JudgedJson = Buffer & { readonly [JUDGED]: true };

/** The one place where a caller's JSON becomes values. Undefined: it is no JSON, or not in UTF-8. */
export function parseJson(json: JudgedJson): Json | undefined {
  if (!isUtf8(json)) return undefined;
  try {
    return JSON.parse(json.toString('utf8')) as Json;
  } catch {
    // The parser's own message quotes what was sent, so it is not passed on.
    return undefined;
  }
}
