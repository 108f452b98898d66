import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT, ROOT, sourceFiles } from './source-files';

const CLASS = String.raw`(?:\\[sSdDwW]|\[(?:\\.|[^\]\n])*\])`;
const LEFT_OUT = String.raw`(?:\((?:\\.|${CLASS}|[^()[\\\n])*\)[?*])*`;
const REPEATED = String.raw`(?:[*+]|\{\d+,\})\??`;
/** Two repetitions of classes side by side, with nothing between them that must be there. Each may be the first of another pair. */
const NEIGHBOURS = new RegExp(`(?=(${CLASS})${REPEATED}${LEFT_OUT}(${CLASS})${REPEATED})`, 'g');
const CHARACTERS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

it('no pattern repeats a class of characters beside one that shares some, which tries all ways to share out a run of it', () => {
  const files = sourceFiles().filter((file) => PRODUCT.test(file));
  expect(files.filter((file) => isAmbiguous(readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([]);
});

it.each([
  String.raw`<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>`,
  String.raw`\s+[\s\0]*$`,
  '[a-z]*(?:-)*[a-f]+;',
  String.raw`\d+[a-z]*[a-f]+;`,
  '[a-z]{2,}[a-z]+?',
])('finds %s', (text) => expect(isAmbiguous(text)).toBe(true));

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
