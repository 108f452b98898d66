import { inEnglish } from '@mediagate/contracts';
import { jsonFault } from './json-fault';

const said = (text: string, standIns?: string[]) => inEnglish(jsonFault(text, standIns));
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
    ['{"a":1.}', 1, 7],
    ['{"a":NaN}', 1, 6],
    ['{"a":"b\n"}', 1, 8],
    ['{"a":"\\x"}', 1, 7],
    ['{"a":"\\u12g4"}', 1, 7],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{"a":"🚢",}', 1, 10],
    ['{}{}', 1, 3],
    ['1,', 1, 2],
    ['model=a', 1, 1],
  ])('%j: names the place', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(said(text)).toBe(at(line, column));
  });

  it.each(['{', '[1', '{"a"', '{"a":', '{"a":"b', '{"a":"b\\"', '{"a":{"b":[1,2', '{"a":-1.5e3'])(
    '%j: ends too early',
    (text) => {
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
      expect(said(text)).toBe(INCOMPLETE);
    },
  );

  it.each(['', ' \n'])('%j: is empty', (text) => {
    expect(said(text)).toBe('The request body is empty.');
  });

  it('names a byte order mark', () => {
    expect(said('\ufeff{}')).toBe('The request body begins with a byte order mark; send it without.');
  });

  it('quotes nothing of what was sent', () => {
    expect(said('{"key": secret}')).toBe(at(1, 9));
  });

  it('is looked through as far as it takes no longer than to parse it', () => {
    const long = `{"a":"${'b'.repeat(300_000)}"`;
    expect(said(`${long},}`)).toBe('The request body is not valid JSON.');
    expect(said(`{"a":tru,"b":${long}}}`)).toBe(at(1, 6));
    const cut = `[${'true,'.repeat(60_000)}`;
    expect(said(cut)).toBe('The request body is not valid JSON.');
  });

  it('names no place behind a file that was taken out of it', () => {
    const url = 'data:image/png;base64,hash';
    expect(said(`{"a":"${url}",}`, [url])).toBe('The request body is not valid JSON.');
    expect(said(`{"a":tru,"b":"${url}"}`, [url])).toBe(at(1, 6));
  });
});
