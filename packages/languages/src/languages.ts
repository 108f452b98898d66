import { type LoadModule, type MessageTexts, modulesIn } from '@mediagate/contracts';

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
  return new Map([...modulesIn(__dirname, 'texts/*.ts')].map(([file, load]) => [codeOf(file), textsOf(file, load)]));
}

function codeOf(file: string): Language {
  const code = /^texts\/([a-z]{2})\.ts$/.exec(file)?.[1];
  if (code !== undefined) return code as Language;
  throw new Error(`${file}: the file must be named after a language's two-letter code`);
}

function textsOf(file: string, load: LoadModule): MessageTexts {
  const { default: texts } = load() as { default?: MessageTexts };
  if (texts === undefined) throw new Error(`${file}: export default the texts of the language`);
  return texts;
}
