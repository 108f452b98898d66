import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { TROUBLE_CAUSES, TROUBLE_KINDS } from '@mediagate/contracts';
import { LANGUAGES } from '@mediagate/languages';
import { LANGUAGES as NAMES } from '../web/src/texts/language-names';

/** A plural has a text for each of its forms. */
type Text = string | Record<string, string>;

const SOURCES = join(__dirname, '../web/src');
/** They take every form that a plural of whole numbers has. */
const COUNTS = Array.from({ length: 200 }, (_, count) => count);

const files = filesBelow(SOURCES);
const FOLDERS = files.filter((file) => file.endsWith('/locales/en.json')).map(folderOf);

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function folderOf(file: string): string {
  return relative(SOURCES, dirname(dirname(file)));
}

function textsOf(folder: string, language: string): Record<string, Text> {
  return JSON.parse(readFileSync(join(SOURCES, folder, 'locales', `${language}.json`), 'utf8'));
}

it('the page has the languages of the API’s refusals', () => {
  expect(Object.keys(NAMES)).toEqual(LANGUAGES);
});

it.each(LANGUAGES)(
  'every text is there in %s, with the parameters of the English one and each form of a plural',
  (language) => {
    const plurals = new Intl.PluralRules(language);
    const forms = [...new Set(COUNTS.map((count) => plurals.select(count)))].sort();
    for (const folder of FOLDERS) {
      const english = textsOf(folder, 'en');
      const texts = textsOf(folder, language);
      expect({ folder, keys: Object.keys(texts).sort() }).toEqual({ folder, keys: Object.keys(english).sort() });
      const different = Object.entries(texts).filter(([key, text]) => {
        const [parameters = ''] = writtenForms(english[key] ?? '').map(parametersOf);
        const isComplete = typeof text === 'string' || Object.keys(text).sort().join() === forms.join();
        return (
          !isComplete || writtenForms(text).some((form) => form.trim() === '' || parametersOf(form) !== parameters)
        );
      });
      expect({ folder, different }).toEqual({ folder, different: [] });
    }
  },
);

function writtenForms(text: Text): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

function parametersOf(text: string): string {
  return [...text.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .sort()
    .join();
}

it('every text is used', () => {
  const unused = FOLDERS.flatMap((folder) => {
    const code = codeBelow(folder === 'frame' ? SOURCES : join(SOURCES, folder));
    return Object.keys(textsOf(folder, 'en'))
      .filter((key) => !isUsed(key, code))
      .map((key) => `${folder}: ${key}`);
  });
  expect(unused).toEqual([]);
});

function codeBelow(folder: string): string {
  const code = files.filter((file) => file.startsWith(`${folder}/`) && /\.tsx?$/.test(file));
  return code.map((file) => readFileSync(file, 'utf8')).join('\n');
}

/** Whether code uses a key by its whole name, or by one put together from a variable and the part before or after it. */
function isUsed(key: string, code: string): boolean {
  const dot = key.lastIndexOf('.');
  if (code.includes(`'${key}'`)) return true;
  return dot > 0 && (code.includes(`\`${key.slice(0, dot)}.\${`) || code.includes(`}${key.slice(dot)}\``));
}

it.each(LANGUAGES)('every kind and cause of trouble has its texts in %s', (language) => {
  const texts = textsOf('pages/now', language);
  const wanted = [
    ...TROUBLE_KINDS.map((kind) => `kind.${kind}`),
    ...TROUBLE_CAUSES.flatMap((cause) => [`cause.${cause}`, `action.${cause}`]),
  ];
  expect(wanted.filter((key) => texts[key] === undefined)).toEqual([]);
});

/** The sign-in page has words of its own. */
const SAID_ELSEWHERE = ['bad_credentials'];

it('every refusal of the console has a text in the page’s languages', () => {
  const code = filesBelow(join(__dirname, '../src')).filter((file) => /(?<!test)\.ts$/.test(file));
  const reasons = code.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/reason: '([a-z_]+)', message:/g)].map(([, reason]) => reason),
  );
  expect(reasons.length).toBeGreaterThan(10);
  const texts = textsOf('frame', 'en');
  const missing = reasons.filter((reason) => texts[`refusal.${reason}`] === undefined);
  expect(missing.filter((reason) => !SAID_ELSEWHERE.includes(String(reason)))).toEqual([]);
});
