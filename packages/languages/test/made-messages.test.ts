import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readMessageFiles } from '../src/message-files';

/** Where sentences are made that end up in a failed task; read as text, because each is made by a fault of its own. */
const SOURCES = ['media/src', 'egress/src', 'catalog/src/video/totals.ts'];

/** Sentences that never become a task's message. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  // Goes with the reason `aborted`, which is not told to callers.
  'The transfer was called off.',
  // Of answers to callbacks.
  'The body did not end in time.',
]);

const SENTENCE =
  /(?:'((?:The|A|Port|together|they) [^'\n]+)'|`((?:\$\{\w+(?:\.join\(', '\))?\}:? ?)?[^`\n]* [^`\n]*\.)`)/g;

function filesUnder(folder: string): string[] {
  if (folder.endsWith('.ts')) return [folder];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name));
  return files.map((entry) => path.join(entry.parentPath, entry.name));
}

function sentencesOf(file: string): string[] {
  const code = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(SENTENCE)].map(([, quoted, template]) => quoted ?? template ?? '');
}

/** The words between what is filled in. */
function wordsOf(sentence: string): string[] {
  const pieces = sentence.split(/\$\{[^}]*\}/).map((piece) => piece.replace(/^: /, '').trim());
  return pieces.filter((piece) => /[a-z]{2}/.test(piece));
}

const texts = Object.values(readMessageFiles().en).join('\n');
const sentences = SOURCES.map((source) => path.resolve(__dirname, '../..', source))
  .flatMap(filesUnder)
  .flatMap(sentencesOf)
  .filter((sentence) => !ELSEWHERE.has(sentence));

it('finds the sentences that it looks for', () => {
  expect(sentences.length).toBeGreaterThan(50);
  expect(sentences).toEqual(
    expect.arrayContaining([
      'The link is not valid or has expired.',
      'The URL must begin with http:// or https://.',
      expect.stringMatching(/^The file has .* bytes; at most .* are accepted\.$/),
    ]),
  );
});

it.each([...new Set(sentences)])('"%s" is in the message files', (sentence) => {
  for (const words of wordsOf(sentence)) expect(texts).toContain(words);
});
