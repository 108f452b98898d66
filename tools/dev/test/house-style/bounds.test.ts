import { codeFiles, countBounds, headlessIn, linesOf, MAX_FUNCTION_LINES, measureFunctions } from './bounds';
import { CEILINGS } from './ceilings';
import { functionLengths } from './function-lengths';
import { LONG_FILES, LONG_FUNCTIONS } from './long-code';

const MAX_FILE_LINES = 250;
const files = codeFiles();
const functions = measureFunctions(files);

it('no count of the code is above its ceiling, and each has one', () => {
  const counts = countBounds(files, functions);
  expect(Object.keys(counts)).toEqual(Object.keys(CEILINGS));
  const above = Object.entries(counts).filter(([name, count]) => count > (CEILINGS[name] ?? 0));
  expect(above).toEqual([]);
});

describe('code that is longer than the house style wants', () => {
  // The page's components and SQL functions are under the ceilings alone.
  const listed = (name: string) => /\.(?:ts|mjs|cjs)(?: |$)/.test(name) && !name.startsWith('e2e/');

  it(`is no function of over ${MAX_FUNCTION_LINES} lines but those listed, and none of these has grown`, () => {
    const long = functions.filter(([name, lines]) => lines > MAX_FUNCTION_LINES && listed(name));
    const expected = Object.entries(LONG_FUNCTIONS).map(([name, { lines }]) => [name, lines]);
    // A function that became shorter gets its new figure, or leaves the list: the list may only shrink.
    expect(Object.fromEntries(long)).toEqual(Object.fromEntries(expected));
  });

  it(`is no file of over ${MAX_FILE_LINES} lines but those listed`, () => {
    const long = files.filter(({ file, text, isTest }) => !isTest && listed(file) && linesOf(text) > MAX_FILE_LINES);
    expect(long.map(({ file }) => file)).toEqual(Object.keys(LONG_FILES));
  });

  it('is measured from the first line of a function to its last', () => {
    const source =
      'function one() {\n  return () =>\n    1;\n}\nclass A {\n  two() {\n  }\n}\nconst three = () => 3;\n';
    expect([...functionLengths('a.ts', source)]).toEqual([
      ['one', 4],
      ['two', 2],
      ['three', 1],
    ]);
  });
});

it.each([
  ['/** Of the caller alone. */', 1],
  ['/**\n * Whose turn it is.\n */', 1],
  ['  // What is left.', 1],
  ['-- Those that wait.\nselect 1;', 1],
  ['// Callers wait here.\n// Those that left are gone.', 0],
  ['/** Officers sign. */', 0],
])('a comment has no subject: %j', (text, count) => {
  expect(headlessIn(text)).toBe(count);
});
