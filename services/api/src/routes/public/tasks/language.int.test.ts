import { taskError } from '@mediagate/billing';
import { type JsonObject, message, type TaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, startTestApi } from '../../../../test/test-api';

const WORDS = 'The sampler ran out of patience.';

const api = forAllTests(() => startTestApi({ translator: async (_text, language) => `${language}, translated` }));
const caller = forAllTests(() => api.createCaller());

async function failWith(
  words: string | undefined,
  path = '/v1/images/generations',
  fields: JsonObject = { ...SMALL_IMAGE, language: 'fr' },
): Promise<TaskId> {
  const { key } = caller;
  const { body } = await api.post(path, fields, { key });
  const id: TaskId = body.data[0].task_id;
  const outcome = {
    kind: 'failed',
    error:
      words === undefined
        ? taskError('timeout')
        : taskError('upstream_error', { message: message('foreign', { text: words }) }),
  } as const;
  await api.end(id, outcome);
  return id;
}

async function messageOf(id: TaskId, query = ''): Promise<string> {
  const { status, body } = await api.get(`/v1/tasks/${id}${query}`, { key: caller.key });
  expect(status).toBe(200);
  return body.data.error.message;
}

it('a poll is answered in the language of its query, whatever the submission named', async () => {
  const id = await failWith(undefined);
  for (const query of ['?language=de', '?language=%20De%20']) {
    expect(await messageOf(id, query)).toBe('Zeitüberschreitung der Aufgabe');
  }
  for (const query of ['', '?language=', '?language=zh-CN', '?language=xx', '?language=de&language=fr']) {
    expect(await messageOf(id, query)).toBe('Task timeout');
  }
});

it('only the message of a failure depends on the language', async () => {
  const id = await failWith(undefined);
  const [plain, german] = await Promise.all(
    ['', '?language=de'].map(async (query) => (await api.get(`/v1/tasks/${id}${query}`, { key: caller.key })).body),
  );
  const error = { ...plain.data.error, message: 'Zeitüberschreitung der Aufgabe' };
  expect(german).toEqual({ ...plain, data: { ...plain.data, error } });
});

it('the status of music and of the image tool is answered in the language of its query, too', async () => {
  const { key } = caller;
  const track = await failWith(undefined, '/v1/music/generations', { gpt_description: 'a waltz' });
  const image = await failWith(undefined, '/v1/imgtool/generations', { prompt: 'a fox' });
  const told = [await api.get(`/v1/music/tasks/${track}?language=pt`, { key })];
  told.push(await api.get(`/v1/imgtool/${image}?language=pt`, { key }));
  for (const { body } of told) expect(body.data.error.message).toBe('Tempo limite da tarefa esgotado');
  expect(told[1]?.body.data.fail_reason).toBe('Tempo limite da tarefa esgotado');
});

it('a batch is answered in the language of its body', async () => {
  const ids = [await failWith(undefined), await failWith(WORDS)];
  const { body } = await api.post(
    '/v1/tasks/batch',
    { task_ids: [...ids, 'nothing'], language: 'ES' },
    { key: caller.key },
  );
  expect(body.data.map((element: { error: { message: string } }) => element.error.message)).toEqual([
    'Tiempo de espera de la tarea agotado',
    'es, translated',
    'Tarea no encontrada.',
  ]);
});

it('a task that is not there is named in the language of the batch, or else of Accept-Language', async () => {
  const missingIn = async (fields: object) => {
    const init = { key: caller.key, headers: { 'accept-language': 'de' } };
    const { body } = await api.post('/v1/tasks/batch', { task_ids: ['nothing'], ...fields }, init);
    return body.data[0].error.message;
  };
  expect(await missingIn({ language: 'es' })).toBe('Tarea no encontrada.');
  for (const fields of [{}, { language: 'xx' }]) expect(await missingIn(fields)).toBe('Aufgabe nicht gefunden.');
});
