import { type Message, message } from '@mediagate/contracts';

/** Characters that are looked through where the parser names no place, which takes a few milliseconds however long the text is. */
const LOOKED_THROUGH = 16 * 1024;
/** Characters whose lines and columns are counted, which takes a millisecond or two. */
const COUNTED = 256 * 1024;
/** Where a long text is cut, its last word may be half of one. */
const LONGEST_WORD = 16;

/** The end of the parser's message, where it names a place. What it quotes never ends so. */
const PLACE = / in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/;
const TOO_EARLY = /Unexpected end of JSON input$/;

const LINE_FEED = 0x0a;
const BLANK = /[ \t\n\r]*/y;
/** One token of JSON: a mark, a string as far as it goes, a number or a word. The parser judges what is in a string itself. */
const TOKEN = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/sy;

/**
 * Says where a text is wrong that the parser does not take for JSON. It quotes nothing: what was sent may be secret.
 *
 * @param error of the parser.
 * @param standIns texts that stand for longer ones which were sent, in their order: behind the first no place is known.
 */
export function jsonFault(text: string, error: unknown, standIns: Iterable<string> = []): Message {
  if (text.trim() === '') return message('body_empty');
  if (text.startsWith('\ufeff')) return message('body_begins_with_mark');
  const at = namedPlace(text, String(error)) ?? soughtPlace(text);
  if (at === text.length) return message('body_json_incomplete');
  if (at === undefined || at > COUNTED) return message('body_not_json');
  const before = text.slice(0, at);
  const [standIn] = standIns;
  if (standIn !== undefined && before.includes(standIn)) return message('body_not_json');
  return message('body_not_json_at', lineAndColumn(before));
}

/** The parser finds most faults at one character, names it, and has it for nothing. */
function namedPlace(text: string, error: string): number | undefined {
  if (TOO_EARLY.test(error)) return text.length;
  const [, position] = PLACE.exec(error) ?? [];
  return position === undefined ? undefined : Number(position);
}

function soughtPlace(text: string): number | undefined {
  const seen = text.slice(0, LOOKED_THROUGH);
  const at = faultAt(seen);
  return seen.length < text.length && at > seen.length - LONGEST_WORD ? undefined : at;
}

/** Both count from 1; a column is a character, also one of two code units. */
function lineAndColumn(before: string): { line: number; column: number } {
  let line = 1;
  let column = 1;
  for (let at = 0; at < before.length; at += 1) {
    const unit = before.charCodeAt(at);
    if (unit === LINE_FEED) {
      line += 1;
      column = 1;
    } else if (!isSecondHalf(unit)) column += 1;
  }
  return { line, column };
}

function isSecondHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

/** The index of the first character that cannot stand where it stands; the length of the text where more should follow. */
function faultAt(text: string): number {
  const closers: string[] = [];
  let expected: Expected | undefined = 'value';
  for (let at = endOf(BLANK, text, 0); ; ) {
    const end = endOf(TOKEN, text, at);
    expected = end === at ? undefined : next(expected, text.charAt(at), closers);
    if (expected === undefined) return at;
    at = endOf(BLANK, text, end);
  }
}

/** The end of what the pattern takes at this index; the index itself where it takes nothing. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The next expectation, behind a token that begins so; undefined: the token itself is not expected. */
function next(expected: Expected, token: string, closers: string[]): Expected | undefined {
  if (expected.endsWith('end') && token === closers.at(-1)) {
    closers.pop();
    return 'comma or end';
  }
  switch (expected) {
    case 'name':
    case 'name or end':
      return token === '"' ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'comma or end':
      if (token !== ',' || closers.length === 0) return undefined;
      return closers.at(-1) === '}' ? 'name' : 'value';
    default:
      return afterValue(token, closers);
  }
}

function afterValue(token: string, closers: string[]): Expected | undefined {
  if (token === '{') {
    closers.push('}');
    return 'name or end';
  }
  if (token === '[') {
    closers.push(']');
    return 'value or end';
  }
  return '}],:'.includes(token) ? undefined : 'comma or end';
}
