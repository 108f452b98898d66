import { createMessages } from './messages';
import { translateError } from './translate-error';

const messages = createMessages();
const failed = {
  id: 'task_1',
  status: 'failed',
  error: { message: 'Task timeout', type: 'task_failed', param: '', code: 'task_failed' },
};

it('changes the message of the error and nothing else', async () => {
  const translated = await translateError(failed, 'de', messages);
  expect(translated).toEqual({ ...failed, error: { ...failed.error, message: 'Zeitüberschreitung der Aufgabe' } });
  expect(Object.keys(translated.error)).toEqual(Object.keys(failed.error));
  expect(failed.error.message).toBe('Task timeout');
});

it('leaves a record without an error, or without a language, as it is', async () => {
  const completed: { status: string; error?: { message: string } } = { status: 'completed' };
  expect(await translateError(completed, 'de', messages)).toBe(completed);
  for (const language of [undefined, null, 7, ['de']]) {
    expect(await translateError(failed, language, messages)).toBe(failed);
  }
});
