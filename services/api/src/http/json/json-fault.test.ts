import { inEnglish } from '@mediagate/contracts';
import { jsonFault } from './json-fault';

function said(text: string, standIns?: string[]): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return inEnglish(jsonFault(text, error, standIns));
  }
  throw new Error('it is JSON');
}
const at = (line: number, column: number) =>
  `The request body is not valid JSON: something else is expected at line ${line}, column ${column}.`;
const INCOMPLETE = 'The request body ends before its JSON is complete.';

describe('a body that is no JSON', () => {
  it.each<[text: string, line: number, column: number]>([
    ["{'model':'a'}", 1, 2],
    ['{"a":1,}', 1, 8],
    ['[1,]', 1, 4],
    ['[,1]', 1, 2],
    ['{,}', 1, 2],
    ['{"a" 1}', 1, 6],
    ['{"a":1 "b":2}', 1, 8],
    ['{"a":1]', 1, 7],
    ['{a:1}', 1, 2],
    ['{"a":tru}', 1, 6],
    ['{"a":01}', 1, 7],
    ['{"a":1.}', 1, 8],
    ['{"a":NaN}', 1, 6],
    ['{"a":"b\n"}', 1, 8],
    ['{"a":"\\x"}', 1, 8],
    ['{"a":"\\u12g4"}', 1, 11],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{"a":"🚢",}', 1, 10],
    ['{}{}', 1, 3],
    ['1,', 1, 2],
    ['model=a', 1, 1],
  ])('%j: names the place', (text, line, column) => {
    expect(said(text)).toBe(at(line, column));
  });

  it.each([
    '{',
    '[1',
    '{"a"',
    '{"a":',
    '{"a":"b',
    '{"a":"b\\"',
    '{"a":{"b":[1,2',
    '{"a":-1.5e3',
    '{"a":tr',
    '{"a":1.',
    '{"a":-',
    '"\\u12',
    '"a\\',
    '{"a":1,\n ',
  ])('%j: ends too early', (text) => {
    expect(said(text)).toBe(INCOMPLETE);
  });

  it.each(['', ' \n'])('%j: is empty', (text) => {
    expect(said(text)).toBe('The request body is empty.');
  });

  it('names a byte order mark', () => {
    expect(said('\ufeff{}')).toBe('The request body begins with a byte order mark; send it without.');
  });

  it('quotes nothing of what was sent', () => {
    expect(said('{"key": secret}')).toBe(at(1, 9));
  });

  it('is named where the parser names it, within 256 Ki characters', () => {
    const long = (length: number) => `{"a":"${'b'.repeat(length)}",\n`;
    expect(said(`${long(200_000)}"c":1,}`)).toBe(at(2, 7));
    expect(said(`${long(300_000)}"c":1,}`)).toBe('The request body is not valid JSON.');
    expect(said(long(300_000))).toBe(INCOMPLETE);
  });

  it('is looked for in the first 16 Ki characters alone', () => {
    const items = (count: number) => `[${'true,'.repeat(count)}tru]`;
    expect(said(items(3000))).toBe(at(1, 15_002));
    expect(said(items(4000))).toBe('The request body is not valid JSON.');
    const cutWithin = `[${' '.repeat(16 * 1024 - 3)}true,tru]`;
    expect(said(cutWithin)).toBe('The request body is not valid JSON.');
  });

  it('is no place of what the text quotes', () => {
    expect(said('{"a":tru," in JSON at position 3')).toBe(at(1, 6));
  });

  it('names no place behind a file that was taken out of it', () => {
    const url = 'data:image/png;base64,hash';
    expect(said(`{"a":"${url}","b":tru}`, [url])).toBe('The request body is not valid JSON.');
    expect(said(`{"a":"${url}",}`, [url])).toBe('The request body is not valid JSON.');
    expect(said(`{"a":tru,"b":"${url}"}`, [url])).toBe(at(1, 6));
  });
});
