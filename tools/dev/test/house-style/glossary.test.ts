import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FORBIDDEN_WORDS, type ForbiddenWord } from './glossary';
import { ROOT, sourceFiles } from './source-files';
import { readSource, wordsOf } from './source-words';

/** The history keeps its words; migrations cannot change; captured answers and snapshots are vendors' or the examples' own. */
const NOT_OURS =
  /^CHANGELOG\.md$|^prisma\/migrations\/|\/fixtures\/|\/__snapshots__\/|^tools\/dev\/test\/house-style\//;

type Texts = Partial<Record<ForbiddenWord['parts'][number], string[]>>;

describe('the words that the glossary replaces', () => {
  const anyWord = patternOf(FORBIDDEN_WORDS.flatMap(({ words }) => words));
  const files = sourceFiles().filter(isOurs);
  const texts = new Map(files.map((file) => [file, textsOf(file, anyWord)]));

  it.each(FORBIDDEN_WORDS)('$words: say $say', ({ words, parts, exceptions }) => {
    const pattern = patternOf(words);
    const found: Record<string, number> = {};
    for (const [file, byPart] of texts) {
      const times = parts.flatMap((part) => byPart[part] ?? []).reduce((sum, text) => sum + count(text, pattern), 0);
      if (times > 0) found[file] = times;
    }
    // An exception that is no longer needed, or not as often, is taken out: the list may only shrink.
    expect(found).toEqual(Object.fromEntries(Object.entries(exceptions).map(([file, { times }]) => [file, times])));
  });

  it('are found in identifiers, comments, documents and file names, and not in strings', () => {
    const source = readSource('a.ts', "// It wakes.\nconst lastWake = 'wake'; /* a Wake */ class A { #wakeAt = 1 }");
    expect(source.comments).toHaveLength(2);
    const pattern = patternOf(['wake', 'wakes']);
    expect([...source.comments, ...source.identifiers.map(wordsOf)].map((text) => count(text, pattern))).toEqual([
      1, 1, 1, 0, 1,
    ]);
    expect(count(wordsOf('WAKE_AGAIN-awake'), pattern)).toBe(1);
  });
});

function isOurs(file: string): boolean {
  return !NOT_OURS.test(file);
}

function isTest(file: string): boolean {
  return /\.test\.ts$|\/test\/|^e2e\//.test(file);
}

function textsOf(file: string, anyWord: RegExp): Texts {
  const names = { 'file names': [wordsOf(file)] };
  if (!/\.(ts|mjs|cjs|md)$/.test(file)) return names;
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  // Only few files have any of the words: the others need not be taken apart.
  if (count(text, anyWord) === 0 && count(wordsOf(text), anyWord) === 0) return names;
  if (file.endsWith('.md')) return { ...names, docs: [text] };
  const { identifiers, comments } = readSource(file, text);
  return { ...names, comments, [isTest(file) ? 'identifiers of tests' : 'identifiers']: identifiers.map(wordsOf) };
}

function patternOf(words: readonly string[]): RegExp {
  return new RegExp(
    `(?<![A-Za-z0-9_])(?:${words.join('|').replaceAll(' ', '\\s+(?:\\*\\s+|//\\s+)?')})(?![A-Za-z0-9_])`,
    'gi',
  );
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
