import type { GatewayError, JsonObject } from '@mediagate/contracts';
import { JSON_MAX_DEPTH } from '../../request-limits';
import { invalid, unreadable } from '../../use-cases/invalid';
import type { ReadJson } from './json-reader';
import { decodeJson, type JudgedJson, parseJson } from './parse-json';

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, CLOSE_BRACKET] = [0x7b, 0x5b, 0x7d, 0x5d];
/** Bytes of names and of what stands outside of strings that are read to name a doubled field: some 10 ms at worst. */
const NAMING_MAX_BYTES = 256 * 1024;
/** Characters of a doubled field's name that its error repeats. */
const MAX_NAME_LENGTH = 64;
/** Characters of its path; of a longer one the error has the name alone. */
const MAX_PATH_LENGTH = 200;

/**
 * Refuses a body that two parsers could read differently: it is passed on unchanged, and the vendor must read what was parsed and
 * priced here. Of a field that is given twice parsers take the first or the last; some make a prototype of `__proto__`. The limit
 * on nesting protects code that walks the body by recursion.
 *
 * @param json valid UTF-8, of which `body` is all.
 * @param fields of that JSON, as they were sent: more than the body has where one is given twice.
 * @throws GatewayError `invalid_request`, naming the field unless that would take too long.
 */
export function refuseDoubleMeaning(read: Pick<ReadJson, 'json' | 'fields'>, body: JsonObject): void {
  refuseDoubled(read, countFields(body, 0));
}

/**
 * Refuses a body in which one object has a field twice: nobody can tell which is meant.
 *
 * @param parsed fields of the body as it was parsed, at every depth.
 * @throws GatewayError `invalid_request`, naming the field unless that would take too long.
 */
export function refuseDoubled({ json, fields }: Pick<ReadJson, 'json' | 'fields'>, parsed: number): void {
  if (fields !== parsed) throw doubled(json);
}

function countFields(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= JSON_MAX_DEPTH) throw unreadable('body_too_deep', { limit: JSON_MAX_DEPTH });
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countFields(item, depth + 1);
    return count;
  }
  const object = value as JsonObject;
  for (const name of Object.keys(object)) {
    if (name === '__proto__') throw invalid(name, 'field_name_forbidden');
    count += 1 + countFields(object[name], depth + 1);
  }
  return count;
}

/**
 * By search to the first quote, which ends most strings, however long; then character by character, because where each quote
 * is escaped a search for every one of them is slower.
 *
 * @returns where the quote stands that ends the string which begins at `start`.
 */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  let escapes = 0;
  while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
  if (escapes % 2 === 0) return end;
  for (end += 1; text.charCodeAt(end) !== QUOTE; end += 1) if (text.charCodeAt(end) === BACKSLASH) end += 1;
  return end;
}

function doubled(json: Buffer): GatewayError {
  // The search looks for ASCII characters, which are no part of any other character in UTF-8.
  const path = findDoubled(json, json.toString('latin1'));
  if (path === undefined) return unreadable('a_field_doubled');
  const shown = shownPath(path.map(({ step }) => step));
  return invalid(shown.length > MAX_PATH_LENGTH ? shownPath([path.at(-1)?.step ?? '']) : shown, 'field_doubled');
}

function shownPath(steps: readonly (string | number)[]): string {
  return steps.reduce<string>((path, step, index) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    const name = Array.from(step).slice(0, MAX_NAME_LENGTH).join('');
    return index === 0 ? name : `${path}.${name}`;
  }, '');
}

/** An object or array that is open. */
interface Open {
  /** The names so far; undefined for an array. */
  names: Set<string> | undefined;
  /** The member that is being read. */
  step: string | number;
}

/**
 * The slow way, for the error: names are compared as they are read, whatever their escapes. Strings that are values are crossed
 * at no cost that counts.
 *
 * @param text the bytes as Latin-1, so that places in both are the same.
 * @returns the way to the field; undefined where it would take more than its share of bytes to tell.
 */
function findDoubled(bytes: Buffer, text: string): Open[] | undefined {
  const open: Open[] = [];
  let isName = false;
  for (let at = 0, left = NAMING_MAX_BYTES; at < text.length && left > 0; at += 1, left -= 1) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE) open.push({ names: new Set(), step: '' });
    else if (code === OPEN_BRACKET) open.push({ names: undefined, step: 0 });
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop();
    const last = open.at(-1);
    if (code === COMMA && typeof last?.step === 'number') last.step += 1;
    if (code === OPEN_BRACE || code === COMMA) isName = true;
    else if (code === COLON) isName = false;
    if (code !== QUOTE) continue;
    const end = endOfString(text, at);
    if (isName && last?.names) {
      left -= end - at;
      if (left <= 0) return undefined;
      const name = parseJson(decodeJson(bytes.subarray(at, end + 1) as JudgedJson)) as string;
      last.step = name;
      if (last.names.has(name)) return open;
      last.names.add(name);
    }
    at = end;
  }
  return undefined;
}
