import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT, ROOT, sourceFiles } from './source-files';

const CLASS = String.raw`(?:\\[sSdDwW]|\[(?:\\.|[^\]\n])*\])`;
const LEFT_OUT = String.raw`(?:\((?:\\.|${CLASS}|[^()[\\\n])*\)[?*])*`;
/** Two repetitions side by side, with nothing between them that must be there. */
const NEIGHBOURS = new RegExp(`(${CLASS})[*+]${LEFT_OUT}(${CLASS})[*+]`, 'g');
const CHARACTERS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

it('no pattern repeats a character twice side by side, which tries all ways to share out a run of it', () => {
  const files = sourceFiles().filter((file) => PRODUCT.test(file));
  expect(files.filter((file) => isAmbiguous(readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([]);
});

it.each([String.raw`<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>`, String.raw`\s+[\s\0]*$`, '[a-z]*(?:-)*[a-f]+;'])(
  'finds %s',
  (text) => expect(isAmbiguous(text)).toBe(true),
);

it.each([String.raw`<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>`, String.raw`\d+\s*`, String.raw`[\s\0]*\d[\s\0]+`])(
  'passes %s',
  (text) => expect(isAmbiguous(text)).toBe(false),
);

function isAmbiguous(text: string): boolean {
  return [...text.matchAll(NEIGHBOURS)].some(([, one = '', other = '']) => {
    const [first, second] = [new RegExp(`^${one}$`), new RegExp(`^${other}$`)];
    return CHARACTERS.some((character) => first.test(character) && second.test(character));
  });
}
