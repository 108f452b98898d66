import type { Page } from '@mediagate/database';
import type { Request, Response } from 'express';
import { sendJson } from '../exchange';
import { parseParameter } from '../json/nested-json';
import { Query } from './query';

export const LIMIT = { min: 1, max: 100, fallback: 20 };
/** Ids, of rows or of entries. */
const isId = (text: string) => /^\w{1,64}$/.test(text);

/** Begins to read a list's query: `limit` and `cursor`. */
export function readPageQuery(
  request: Pick<Request, 'query'>,
  list: string,
  isPlace: (text: string) => boolean = isId,
) {
  const query = new Query(request);
  const limit = query.integer('limit', LIMIT);
  const place = query.parsed(
    'cursor',
    (cursor) => {
      const found = readCursor(list, cursor);
      return found !== undefined && isPlace(found) ? found : undefined;
    },
    'must_be_cursor',
  );
  return { query, limit, place };
}

/** The same of a list whose places are numbers. */
export function readNumberedPageQuery(request: Pick<Request, 'query'>, list: string) {
  const { place, ...page } = readPageQuery(request, list);
  if (place !== undefined && !/^\d{1,18}$/.test(place)) page.query.refuse('cursor', 'must_be_cursor');
  return { ...page, before: place === undefined || !/^\d{1,18}$/.test(place) ? undefined : BigInt(place) };
}

/** Answers with a page of a list, and where the next one begins. */
export function sendPage<Row>(
  response: Response,
  list: string,
  { rows, next }: Page<Row, string | bigint>,
  describe: (row: Row) => object,
): void {
  sendJson(response, 200, { code: 200, data: rows.map((row) => describe(row)), ...nextPage(list, next) });
}

/** Where the next page of a list begins, as its answers say it. @param place undefined: there is none. */
export function nextPage(list: string, place: string | bigint | undefined) {
  return { next_cursor: place === undefined ? null : makeCursor(list, String(place)), has_more: place !== undefined };
}

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
