import { message } from '@mediagate/contracts';
import { createMessages, type Language } from '../src';
import { createTranslations } from '../src/translations';
import { type Asked, openTranslationServer, type TranslationServer } from './translation-server';

const GERMAN = 'de' as Language;
const foreign = (text: string) => message('foreign', { text });

const WORDS = 'Le modèle est fatigué.';

let server: TranslationServer;

async function open(answer: (asked: Asked) => string | number | undefined) {
  server = await openTranslationServer(answer);
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const { translator } = server;
  return { messages: createMessages({ translator, onFailure }), failures, onFailure, translator };
}

afterEach(() => server.close());

it('a vendor’s words are translated once, then known', async () => {
  const { messages, failures } = await open(({ text, language }) => `${language}: ${text}\n`);
  for (const language of ['de', ' DE '])
    expect(await messages.translate(foreign(WORDS), language)).toBe(`de: ${WORDS}`);
  expect(await messages.translate(foreign(WORDS), 'ru')).toBe(`ru: ${WORDS}`);
  expect(server.asked.map(({ text, language }) => [text, language])).toEqual([
    [WORDS, 'de'],
    [WORDS, 'ru'],
  ]);
  expect(failures).toEqual([]);
});

it('the platform’s own messages never reach the translator, nor does anything without a language', async () => {
  const { messages } = await open(() => 'translated');
  expect(await messages.translate(message('timeout'), 'en')).toBe('Task timeout');
  expect(await messages.translate(message('timeout'), 'de')).toBe('Zeitüberschreitung der Aufgabe');
  for (const language of [undefined, null, '', 'zh-CN', 'xx']) {
    expect(await messages.translate(foreign(WORDS), language)).toBe(WORDS);
  }
  expect(await messages.translate(foreign(' '), 'de')).toBe(' ');
  expect(server.asked).toEqual([]);
});

it('without a translator a vendor’s words stay as they are', async () => {
  await open(() => undefined);
  expect(await createMessages().translate(foreign(WORDS), 'de')).toBe(WORDS);
});

it('any number of callers with the same text make one request, and all get its answer', async () => {
  const { messages } = await open(() => undefined);
  const answers = Array.from({ length: 20 }, () => messages.translate(foreign(WORDS), 'de'));
  await server.heard(1);
  server.asked[0]?.response.end('Das Modell ist müde.');
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['Das Modell ist müde.']));
  expect(server.asked).toHaveLength(1);
});

it('a translator that is silent holds nobody up for more than 2 s, and its request is called off', async () => {
  const { messages, failures } = await open(() => undefined);
  const startedMs = performance.now();
  expect(await messages.translate(foreign(WORDS), 'de')).toBe(WORDS);
  expect(performance.now() - startedMs).toBeGreaterThan(1900);
  await server.asked[0]?.closed;
  expect(failures).toEqual([new Error('the translator did not answer within 2000 ms')]);
});

it('a translator that takes no notice of its signal holds nobody up either', async () => {
  const { onFailure } = await open(() => undefined);
  const translations = createTranslations({
    translator: () => new Promise<string>(() => {}),
    maxWaiting: 1,
    timeoutMs: 20,
    onFailure,
  });
  expect(await translations(WORDS, GERMAN)).toBeUndefined();
});

it.each([
  ['an error', 500, 'status 500'],
  ['nothing', ' \n', 'the translator answered nothing'],
  ['an essay', 'Es war einmal. '.repeat(100), 'the translator answered more than a translation'],
])('where %s is answered the original is kept, and not asked for again at once', async (_what, answer, failure) => {
  const { messages, failures } = await open(() => answer);
  expect(await messages.translate(foreign(WORDS), 'de')).toBe(WORDS);
  expect(await messages.translate(foreign(WORDS), 'de')).toBe(WORDS);
  expect(server.asked).toHaveLength(1);
  expect(failures).toEqual([new Error(failure)]);
});

it('a failure is remembered for 30 s, an answer for longer', async () => {
  await open(() => undefined);
  const answers = ['', 'Das Modell ist müde.'];
  const asked: string[] = [];
  const translator = async (text: string) => {
    asked.push(text);
    return answers.shift() ?? 'never asked for';
  };
  let nowMs = 1;
  const clock = { now: () => nowMs };
  const translations = createTranslations({ translator, maxWaiting: 1, onFailure: () => {}, clock });
  expect(await translations(WORDS, GERMAN)).toBeUndefined();
  nowMs += 29_000;
  expect(await translations(WORDS, GERMAN)).toBeUndefined();
  expect(asked).toHaveLength(1);
  nowMs += 2000;
  expect(await translations(WORDS, GERMAN)).toBe('Das Modell ist müde.');
  nowMs += 60 * 60_000;
  expect(await translations(WORDS, GERMAN)).toBe('Das Modell ist müde.');
  expect(asked).toHaveLength(2);
});

it('when as many wait as may, the next one gets the original at once, unless its translation is cached', async () => {
  const { translator, onFailure } = await open(({ text }) => (text === 'known' ? 'bekannt' : undefined));
  const messages = createMessages({ translator, onFailure, maxWaiting: 2 });
  expect(await messages.translate(foreign('known'), 'de')).toBe('bekannt');
  const first = [messages.translate(foreign('one'), 'de'), messages.translate(foreign('two'), 'de')];
  await server.heard(3);
  expect(await messages.translate(foreign('three'), 'de')).toBe('three');
  expect(await messages.translate(foreign('known'), 'de')).toBe('bekannt');
  expect(await messages.translate(message('timeout'), 'de')).toBe('Zeitüberschreitung der Aufgabe');
  for (const { response, text } of server.asked.slice(1)) response.end(`${text} auf Deutsch`);
  expect(await Promise.all(first)).toEqual(['one auf Deutsch', 'two auf Deutsch']);
  expect(server.asked).toHaveLength(3);
});

it('no more than 32 texts are with the translator at once, and a further one gets the original at once', async () => {
  const { messages } = await open(() => undefined);
  const texts = Array.from({ length: 32 }, (_, index) => `text ${index}`);
  const answers = [...texts, ...texts].map((text) => messages.translate(foreign(text), 'de'));
  expect(await messages.translate(foreign('one more'), 'de')).toBe('one more');
  await server.heard(32);
  for (const { response, text } of server.asked) response.end(`${text} auf Deutsch`);
  expect(await Promise.all(answers)).toEqual([...texts, ...texts].map((text) => `${text} auf Deutsch`));
  expect(server.asked).toHaveLength(32);
});

it('a text that is too long for a message is not sent anywhere', async () => {
  const { messages } = await open(() => 'kurz');
  const long = 'x'.repeat(2001);
  expect(await messages.translate(foreign(long), 'de')).toBe(long);
  expect(server.asked).toEqual([]);
});
