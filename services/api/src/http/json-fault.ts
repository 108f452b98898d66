import { type Message, message } from '@mediagate/contracts';

/** Characters that are looked through for a fault. The parser took about as long for them; more would hold up others. */
const LOOKED_THROUGH = 256 * 1024;
/** Where a long text is cut, its last word may be half of one. */
const LONGEST_WORD = 16;

/** White space, and one token of JSON: a mark, a string as far as it goes, a number or a word. */
const TOKEN =
  /([ \t\n\r]*)([{}[\],:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uffff]*)*("?)|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)?/y;

/**
 * Says where a text is wrong that the parser does not take for JSON. It quotes nothing: what was sent may be secret.
 *
 * @param standIns texts that stand for longer ones which were sent: behind one of them no place is known.
 */
export function jsonFault(text: string, standIns: Iterable<string> = []): Message {
  if (text.trim() === '') return message('body_empty');
  if (text.startsWith('\ufeff')) return message('body_begins_with_mark');
  const seen = text.slice(0, LOOKED_THROUGH);
  const isCut = seen.length < text.length;
  const at = faultAt(seen);
  if (!isCut && at === seen.length) return message('body_json_incomplete');
  const before = seen.slice(0, at);
  const isKnown = !(isCut && at > seen.length - LONGEST_WORD) && [...standIns].every((each) => !before.includes(each));
  if (!isKnown) return message('body_not_json');
  const lines = before.split('\n');
  return message('body_not_json_at', { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 });
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

/** The index of the first character that cannot stand where it stands; the length of the text where more should follow. */
function faultAt(text: string): number {
  const tokens = new RegExp(TOKEN);
  const closers: string[] = [];
  let expected: Expected | undefined = 'value';
  for (;;) {
    const start: number = tokens.lastIndex;
    const [, blank = '', token = '', quote] = tokens.exec(text) ?? [];
    const at = start + blank.length;
    expected = token === '' ? undefined : next(expected, token.charAt(0), closers);
    if (expected === undefined) return at;
    if (quote === '') return tokens.lastIndex;
  }
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
