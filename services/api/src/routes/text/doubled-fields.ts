import { GatewayError, type JsonObject } from '@mediagate/contracts';
import { JSON_MAX_DEPTH } from '../../request-limits';

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c];
/** Characters of a doubled field's name that its error repeats. */
const MAX_NAME_LENGTH = 64;

/**
 * Of a body that goes on to the byte: what was parsed of it, and priced, must be what everybody reads in it. Of a field that
 * is given twice parsers take the first, or the last; of `__proto__` some make a prototype. How deep it is nested is for
 * whoever goes through it by recursion.
 *
 * @param bytes valid UTF-8 and JSON, of which `body` is all.
 * @throws GatewayError `invalid_request`, naming the field.
 */
export function refuseDoubleMeaning(bytes: Buffer, body: JsonObject): void {
  const fields = countFields(body, 0);
  // What is looked for is ASCII, and no part of any other character in UTF-8.
  const text = bytes.toString('latin1');
  if (countColons(text) !== fields) throw doubled(bytes);
}

function countFields(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= JSON_MAX_DEPTH) throw invalid(`The request body is nested deeper than ${JSON_MAX_DEPTH} levels.`);
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countFields(item, depth + 1);
    return count;
  }
  const object = value as JsonObject;
  for (const name of Object.keys(object)) {
    if (name === '__proto__') throw invalid('__proto__ is not allowed as the name of a field.', name);
    count += 1 + countFields(object[name], depth + 1);
  }
  return count;
}

/** Each field has one outside of strings, so there are more of them than fields where one is given twice. */
function countColons(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) count += 1;
  }
  return count;
}

/** @returns where the quote stands that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}

function doubled(bytes: Buffer): GatewayError {
  const name = findDoubled(bytes.toString('utf8'));
  const shown = Array.from(name).slice(0, MAX_NAME_LENGTH).join('');
  return invalid(`${shown} is given twice in one object.`, shown);
}

const NAME_ENDS = /\s*:/y;

/** The slow way, for the error: names are compared as they are read, whatever their escapes. */
function findDoubled(text: string): string {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') open.push(new Set());
    else if (char === '}' || char === ']') open.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      NAME_ENDS.lastIndex = end + 1;
      if (NAME_ENDS.test(text)) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        if (open.at(-1)?.has(name)) return name;
        open.at(-1)?.add(name);
      }
      at = end;
    }
  }
  throw new Error('no field is given twice');
}

function invalid(message: string, param?: string): GatewayError {
  return new GatewayError('invalid_request', message, {
    ...{ reason: param === undefined ? 'invalid_request' : 'invalid_parameter', param },
  });
}
