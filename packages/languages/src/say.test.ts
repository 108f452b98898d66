import { MESSAGES, type MessageKey, type MessageTexts, message, placeholdersOf } from '@mediagate/contracts';
import { LANGUAGES, type Language, TEXTS } from './languages';
import { say } from './say';

const KEYS = Object.keys(MESSAGES) as MessageKey[];
const translated = LANGUAGES.filter((language) => language !== 'en');
const textsIn = (language: string) => TEXTS.get(language as Language) as MessageTexts;
/** Nothing but parameters: there is nothing to translate. */
const NEUTRAL: ReadonlySet<MessageKey> = new Set(['foreign', 'with_value', 'with_role', 'about_field']);

/** The message with a value for each parameter, all of them different. */
function filled(key: MessageKey) {
  const names = placeholdersOf(MESSAGES[key]);
  return { key, params: Object.fromEntries(names.map((name, index) => [name, `value-${index}`])) };
}

describe.each(LANGUAGES)('in %s', (language) => {
  it('every message has each of its parameters filled in', () => {
    const unfilled = KEYS.filter((key) => {
      const { params } = filled(key);
      const text = say({ key, params }, language);
      return /\{\w+\}/.test(text) || !Object.values(params).every((value) => text.includes(value));
    });
    expect(unfilled).toEqual([]);
  });

  it('no two messages are the same', () => {
    const texts = Object.values(textsIn(language));
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });
});

describe.each(translated)('%s', (language) => {
  it('has each message, and none too many, in words of its own', () => {
    expect(Object.keys(textsIn(language))).toEqual(KEYS);
    const texts = KEYS.map((key) => ({ key, text: textsIn(language)[key] }));
    expect(texts.filter(({ text }) => text !== text.trim())).toEqual([]);
    expect(texts.filter(({ key, text }) => !NEUTRAL.has(key) && text === MESSAGES[key])).toEqual([]);
    const parameters = (text: string) => placeholdersOf(text).sort();
    expect(texts.map(({ key, text }) => [key, parameters(text)])).toEqual(
      KEYS.map((key) => [key, parameters(MESSAGES[key])]),
    );
  });
});

it('languages with a script of their own are written in it', () => {
  const scripts = {
    zh: /\p{sc=Han}/u,
    ja: /[\p{sc=Hira}\p{sc=Kana}]/u,
    ko: /\p{sc=Hang}/u,
    ru: /\p{sc=Cyrl}/u,
  } as const;
  for (const language of ['zh', 'ja', 'ko', 'ru'] as const) {
    const strangers = KEYS.filter((key) => !NEUTRAL.has(key) && !scripts[language].test(textsIn(language)[key]));
    expect(strangers).toEqual([]);
  }
});

it('a message within a message is in the same language', () => {
  const problem = message('image_side_too_long', { width: 9000, height: 20, limit: 8000 });
  expect(say(message('about_field', { field: 'image_urls[0]', problem }), 'de' as Language)).toBe(
    'image_urls[0]: Das Bild hat 9000x20 Pixel; jede Seite darf höchstens 8000 haben.',
  );
});

it('what a caller wrote is not read as a parameter', () => {
  expect(say(message('model_unavailable', { model: '{models}', models: 'a, b' }), 'en')).toBe(
    'model "{models}" is not available; choose one of a, b',
  );
});
