import { message } from '@mediagate/contracts';
import { createMessages } from './messages';
import { translateError } from './translate-error';

const messages = createMessages();
const shown = { message: 'Task timeout', type: 'task_failed', param: '', code: 'task_failed' };
const failed = { id: 'task_1', status: 'failed', error: shown };
const stored = { ...shown, template: { key: 'timeout', params: {} } };
const german = { language: 'de', messages };

it('changes the message of the error and nothing else', async () => {
  const translated = await translateError(failed, stored, german);
  expect(translated).toEqual({ ...failed, error: { ...shown, message: 'Zeitüberschreitung der Aufgabe' } });
  expect(Object.keys(translated.error)).toEqual(Object.keys(shown));
});

it('leaves a record without an error, or without a language, as it is', async () => {
  const completed: { status: string; error?: typeof shown } = { status: 'completed' };
  expect(await translateError(completed, null, german)).toBe(completed);
  for (const language of [undefined, null, 7, ['de']]) {
    expect(await translateError(failed, stored, { language, messages })).toBe(failed);
  }
});

it.each([
  ['an earlier release, which stored the text alone', shown],
  ['a later one with a message of its own', { ...shown, template: { key: 'not_known_here', params: {} } }],
  ['nobody knows whom', { ...shown, template: { key: 'file_too_large', params: { bytes: 5 } } }],
])('the text of %s goes to the translator', async (_whose, error) => {
  const asked = createMessages({ translator: async (text, language) => `${language} ${text}` });
  const translated = await translateError(failed, error, { language: 'de', messages: asked });
  expect(translated.error.message).toBe('de Task timeout');
});

it('a message and what stands in it come back from JSON as they were', async () => {
  const problem = message('file_too_large', { bytes: 5, limit: 4 });
  const template = JSON.parse(JSON.stringify(message('about_field', { field: 'image_urls[0]', problem })));
  expect((await translateError(failed, { ...shown, template }, german)).error.message).toBe(
    'image_urls[0]: Die Datei ist 5 Byte groß; höchstens 4 werden angenommen.',
  );
});
