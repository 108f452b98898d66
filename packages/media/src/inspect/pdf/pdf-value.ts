export type PdfValue = null | boolean | number | PdfName | PdfReference | PdfString | PdfValue[] | PdfDictionary;
/** A text as it stands in the file, with its brackets; see `bytesOfString`. */
export interface PdfString {
  raw: Buffer;
}
export interface PdfName {
  name: string;
}
export interface PdfReference {
  /** Number of the object meant. */
  object: number;
}
export type PdfDictionary = Map<string, PdfValue>;
/** Answers the value, and for a reference the value of the object meant. Throws PdfSyntaxError. */
export type Lookup = (value: PdfValue | undefined) => Promise<PdfValue>;

/** The text ends within a value, or what stands there is none. */
export class PdfSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PdfSyntaxError';
  }
}

interface Cursor {
  bytes: Buffer;
  position: number;
}

const MAX_DEPTH = 32;
const REFERENCE = /^(\d{1,10})[\s\0]+\d{1,5}[\s\0]+R(?![A-Za-z])/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)/;
const KEYWORD = /^[A-Za-z]+/;
/** Longer tokens than these are not read: a reference, a number, a keyword. */
const MAX_TOKEN_CHARACTERS = 64;

/** Reads the value at `start`; `end` is where it ends. Throws PdfSyntaxError. */
export function parsePdfValue(bytes: Buffer, start: number): { value: PdfValue; end: number } {
  const cursor = { bytes, position: start };
  return { value: readValue(cursor, 0), end: cursor.position };
}

/** Where the first character stands that is neither blank nor part of a comment. */
export function skipBlanks(bytes: Buffer, start: number): number {
  for (let position = start; position < bytes.length; position += 1) {
    const code = bytes.readUInt8(position);
    if (code === 0x25) position = endOfLine(bytes, position);
    else if (!isBlank(code)) return position;
  }
  return bytes.length;
}

function endOfLine(bytes: Buffer, start: number): number {
  for (let position = start; position < bytes.length; position += 1) {
    const code = bytes.readUInt8(position);
    if (code === 0x0a || code === 0x0d) return position;
  }
  return bytes.length;
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b) || code === 0;
}

function readValue(cursor: Cursor, depth: number): PdfValue {
  if (depth > MAX_DEPTH) throw new PdfSyntaxError('values stand too deep in one another');
  cursor.position = skipBlanks(cursor.bytes, cursor.position);
  const text = cursor.bytes.toString('latin1', cursor.position, cursor.position + MAX_TOKEN_CHARACTERS);
  if (text.startsWith('<<')) return readDictionary(cursor, depth);
  switch (text[0]) {
    case undefined:
      throw new PdfSyntaxError('the text ends too soon');
    case '[':
      return readList(cursor, depth);
    case '(':
      return stringUntil(cursor, endOfText(cursor));
    case '<':
      return stringUntil(cursor, after(cursor, '>'));
    case '/':
      return { name: readName(cursor) };
    default:
      return readToken(cursor, text);
  }
}

function readDictionary(cursor: Cursor, depth: number): PdfDictionary {
  const dictionary: PdfDictionary = new Map();
  cursor.position += 2;
  while (!takes(cursor, '>>')) {
    const key = readValue(cursor, depth + 1);
    if (!isName(key)) throw new PdfSyntaxError('a key of a dictionary is no name');
    dictionary.set(key.name, readValue(cursor, depth + 1));
  }
  return dictionary;
}

function readList(cursor: Cursor, depth: number): PdfValue[] {
  const list: PdfValue[] = [];
  cursor.position += 1;
  while (!takes(cursor, ']')) list.push(readValue(cursor, depth + 1));
  return list;
}

function takes(cursor: Cursor, mark: string): boolean {
  const position = skipBlanks(cursor.bytes, cursor.position);
  if (cursor.bytes.toString('latin1', position, position + mark.length) !== mark) return false;
  cursor.position = position + mark.length;
  return true;
}

function stringUntil(cursor: Cursor, end: number): PdfString {
  const raw = cursor.bytes.subarray(cursor.position, end);
  cursor.position = end;
  return { raw };
}

/** Brackets within a text come in pairs, or behind a backslash. */
function endOfText(cursor: Cursor): number {
  let open = 0;
  for (let position = cursor.position; position < cursor.bytes.length; position += 1) {
    const code = cursor.bytes.readUInt8(position);
    if (code === 0x5c) position += 1;
    else if (code === 0x28) open += 1;
    else if (code === 0x29) open -= 1;
    if (open === 0) return position + 1;
  }
  throw new PdfSyntaxError('a text does not end');
}

function after(cursor: Cursor, mark: string): number {
  const found = cursor.bytes.indexOf(mark, cursor.position, 'latin1');
  if (found < 0) throw new PdfSyntaxError(`there is no ${mark}`);
  return found + mark.length;
}

const NAME = /^\/([^\s\0()<>[\]{}/%]*)/;
const MAX_NAME_CHARACTERS = 128;

function readName(cursor: Cursor): string {
  const text = cursor.bytes.toString('latin1', cursor.position, cursor.position + MAX_NAME_CHARACTERS);
  const [whole = '/', name = ''] = NAME.exec(text) ?? [];
  cursor.position += whole.length;
  return name.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function readToken(cursor: Cursor, text: string): PdfValue {
  const [reference, object] = REFERENCE.exec(text) ?? [];
  const token = reference ?? (NUMBER.exec(text) ?? KEYWORD.exec(text))?.[0];
  if (token === undefined) throw new PdfSyntaxError('there is no value');
  // A token that reaches to the end of the text may go on behind it.
  if (cursor.position + token.length >= cursor.bytes.length) throw new PdfSyntaxError('the text ends too soon');
  cursor.position += token.length;
  if (object !== undefined) return { object: Number(object) };
  if (token === 'true' || token === 'false') return token === 'true';
  if (token === 'null') return null;
  const number = Number(token);
  if (Number.isNaN(number)) throw new PdfSyntaxError('there is no value');
  return number;
}

export function isName(value: PdfValue | undefined): value is PdfName {
  return typeof value === 'object' && value !== null && 'name' in value;
}

export function isReference(value: PdfValue | undefined): value is PdfReference {
  return typeof value === 'object' && value !== null && 'object' in value;
}

export function asDictionary(value: PdfValue | undefined): PdfDictionary {
  if (value instanceof Map) return value;
  throw new PdfSyntaxError('there is no dictionary where one belongs');
}

export function asCount(value: PdfValue | undefined): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new PdfSyntaxError('there is no whole number where one belongs');
}
