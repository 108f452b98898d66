import { parseParameter } from './nested-json';

/** Changes when what stands in a cursor does: cursors of before are refused then, and a caller begins anew. It stays where the form of a place tells, as that of a key. */
const VERSION = 1;
const MAX_CHARACTERS = 200;

/** Where a page of a list ended, for its reader to hand back: text that means nothing to anybody else. */
export function makeCursor(list: string, place: string): string {
  return Buffer.from(JSON.stringify([VERSION, list, place])).toString('base64url');
}

/** Undefined: it is none that `makeCursor` made for this list. The place is still to be judged: cursors are not signed. */
export function readCursor(list: string, cursor: string): string | undefined {
  if (cursor.length > MAX_CHARACTERS || !/^[\w-]+$/.test(cursor)) return undefined;
  const value = parseParameter(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [version, name, place] = value as unknown[];
  return version === VERSION && name === list && typeof place === 'string' ? place : undefined;
}
