import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { MessageTexts } from '@mediagate/contracts';

const FOLDER = join(__dirname, 'texts');
/** `.ts` where sources run, `.js` where the build does; declarations and maps of the build are no languages. */
const EXTENSION = extname(__filename);

declare const known: unique symbol;
/** The two-letter code of a language in which callers read failures. English is always one of them. */
export type Language = 'en' | (string & { readonly [known]: true });

/** The texts by language: the files of `texts` are the registry. */
export const TEXTS: ReadonlyMap<Language, MessageTexts> = findTexts();
export const LANGUAGES: readonly Language[] = [...TEXTS.keys()];

/** The language that a caller's value names: whitespace around it and letter case do not count. Undefined: none of ours. */
export function toLanguage(value: unknown): Language | undefined {
  if (typeof value !== 'string') return undefined;
  const code = value.trim().toLowerCase() as Language;
  return TEXTS.has(code) ? code : undefined;
}

/** Throws, naming the file, where one is not a language's texts: a process never starts on half of them. */
function findTexts(): ReadonlyMap<Language, MessageTexts> {
  const files = readdirSync(FOLDER).filter((name) => extname(name) === EXTENSION);
  return new Map(files.sort().map((name) => [codeOf(name), load(name)]));
}

function codeOf(name: string): Language {
  const code = name.slice(0, -EXTENSION.length);
  if (/^[a-z]{2}$/.test(code)) return code as Language;
  throw new Error(`${join(FOLDER, name)}: the file must be named after a language's two-letter code`);
}

function load(name: string): MessageTexts {
  const file = join(FOLDER, name);
  const { default: texts } = require(file) as { default?: MessageTexts };
  if (texts === undefined) throw new Error(`${file}: export default the texts of the language`);
  return texts;
}
