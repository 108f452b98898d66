import { currentLanguage } from './languages.ts';

export type Parameters = Readonly<Record<string, string | number>>;
export type Say<Key extends string> = (key: Key, parameters?: Parameters) => string;
/** The forms of a plural that the language has: `{ "one": "{count} row", "other": "{count} rows" }`. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
type Texts = Readonly<Record<string, string | Plural>>;

const files = import.meta.glob<Texts>('../**/locales/*.json', { import: 'default' });
const loaded = new Map<string, Texts>();
const plurals = new Intl.PluralRules(currentLanguage());

/** Loads the texts of a folder in the page's language: `pages/tasks`. They must be there before anything of it is shown. */
export async function loadTexts(folder: string): Promise<void> {
  if (loaded.has(folder)) return;
  const load = files[`../${folder}/locales/${currentLanguage()}.json`];
  if (load === undefined) throw new Error(`${folder} has no texts`);
  loaded.set(folder, await load());
}

/**
 * The texts of a folder, by the keys of its English file: `textsOf<keyof typeof en>('pages/tasks')`. `{name}` in a text stands
 * for a parameter; numbers are written as the language writes them, and `count` chooses the form of a plural.
 */
export function textsOf<Key extends string>(folder: string): Say<Key> {
  return (key, parameters = {}) => {
    const text = formOf(loaded.get(folder)?.[key] ?? key, parameters['count']);
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => written(parameters[name]) ?? whole);
  };
}

/** Millions have a form of their own in some languages, which read well without it. */
function formOf(text: string | Plural, count: string | number | undefined): string {
  if (typeof text === 'string') return text;
  return text[plurals.select(Number(count))] ?? text.other ?? '';
}

function written(value: string | number | undefined): string | undefined {
  return typeof value === 'number' ? value.toLocaleString(currentLanguage()) : value;
}
