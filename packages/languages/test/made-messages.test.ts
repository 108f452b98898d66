import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createKnownMessages } from '../src/known-messages';
import { readMessageFiles } from '../src/message-files';

/** Where sentences are made that end up in a failed task; read as text, because each is made by a fault of its own. */
const SOURCES = ['media/src', 'egress/src', 'catalog/src/video/totals.ts'];

/** Where is said what of a picture, a video or a song a protocol cannot carry: ends of `The model takes no …`. */
const ABILITIES = ['upstreams/src/video-ability.ts', 'upstreams/src/image-call.ts'].concat(
  ['kling-video', 'minimax-video', 'skyreels-video', 'dashscope-video', 'gemini', 'ark-images', 'openai-images']
    .concat(['ttapi-suno', 'sunoapi', 'local-audio'])
    .map((protocol) => `upstreams/src/${protocol}`),
);
const LACK =
  /(?:[?:=] ?|\black\(\s*|cannotCarry\(\s*)(?:'([a-z][\w ]*)'(, oneOf)?|`([a-z][\w ]* \$\{\w+(?:\.\w+)*\}[\w ]*)`)/g;
/** Other words are quoted in these files too: single ones, and those that say of an answer what it is not. */
const isPhrase = (words: string) =>
  (words.includes(' ') && !/^(?:not?|a) /.test(words)) || PHRASES_OF_ONE_WORD.has(words);
const PHRASES_OF_ONE_WORD: ReadonlySet<string> = new Set([
  'documents',
  'elements',
  'masks',
  'seeds',
  'subjects',
  'watermarks',
]);

/** Sentences that never become a task's message. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  // Goes with the reason `aborted`, which is not told to callers.
  'The transfer was called off.',
  // Of files in a request, which is refused.
  'The image is damaged or ends too early.',
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

function foundIn(sources: readonly string[], find: (code: string) => string[]): string[] {
  const files = sources.map((source) => path.resolve(__dirname, '../..', source)).flatMap(filesUnder);
  return [...new Set(files.flatMap((file) => find(withoutComments(readFileSync(file, 'utf8')))))];
}

const withoutComments = (code: string) => code.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');

function sentencesOf(code: string): string[] {
  return [...code.matchAll(SENTENCE)].map(([, quoted, template]) => quoted ?? template ?? '');
}

function lacksOf(code: string): string[] {
  const lacks = [...code.matchAll(LACK)].map(([, quoted, choice, template = '']) =>
    // Where there is a choice, the value stands behind.
    choice === undefined ? (quoted ?? template) : `${quoted} \${value}`,
  );
  return lacks.filter(isPhrase);
}

/** The words between what is filled in. */
function wordsOf(sentence: string): string[] {
  const pieces = sentence.split(/\$\{[^}]*\}/).map((piece) => piece.replace(/^: /, '').trim());
  return pieces.filter((piece) => /[a-z]{2}/.test(piece));
}

const files = readMessageFiles();
const texts = Object.values(files.en).join('\n');
const known = createKnownMessages(files);
const sentences = foundIn(SOURCES, sentencesOf).filter((sentence) => !ELSEWHERE.has(sentence));
const lacks = foundIn(ABILITIES, lacksOf);

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

it.each(sentences)('"%s" is in the message files', (sentence) => {
  for (const words of wordsOf(sentence)) expect(texts).toContain(words);
});

it('finds what protocols lack', () => {
  expect(lacks.length).toBeGreaterThan(35);
  expect(lacks).toEqual(expect.arrayContaining(['first frame', 'masks', 'frames beside references']));
});

it.each(lacks)('"The model takes no %s." is in the message files', (lack) => {
  const messages = ['7', '720p', '16:9', 'audio/aac'].map(
    (value) => `The model takes no ${lack.replace(/\$\{[^}]*\}/, value)}.`,
  );
  expect(messages.map((message) => known(message, 'de'))).toContainEqual(expect.any(String));
});
