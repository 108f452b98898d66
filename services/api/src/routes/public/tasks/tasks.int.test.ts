import { taskError } from '@mediagate/billing';
import { nanoToNumber, type TaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { SMALL_IMAGE, smallImagePrice, startTestApi } from '../../../../test/test-api';

const api = forAllTests(startTestApi);
const caller = forAllTests(() => api.createCaller());

async function submit(key = caller.key): Promise<TaskId> {
  const { body } = await api.post('/v1/images/generations', SMALL_IMAGE, { key });
  return body.data[0].task_id;
}

const get = (id: string, key = caller.key) => api.get(`/v1/tasks/${id}`, { key });
const batch = (body: unknown, key = caller.key) => api.post('/v1/tasks/batch', body, { key });

/** Currency units: one small image at its lowest quality, and its prompt. */
const SMALL_IMAGE_RESERVED = nanoToNumber(smallImagePrice());

describe('GET /v1/tasks/{id}', () => {
  it('wraps the record of a task that waits', async () => {
    const id = await submit();
    const { status, body } = await get(id);
    expect(status).toBe(200);
    expect(body).toEqual({
      code: 200,
      data: {
        id,
        status: 'submitted',
        progress: 0,
        model: 'imagegen-2.5-flare',
        kind: 'image',
        cost: 0,
        credits_cost: 0,
        reserved: SMALL_IMAGE_RESERVED,
        created: expect.any(Number),
      },
    });
    expect(Math.abs(body.data.created - Date.now() / 1000)).toBeLessThan(5);
  });

  it('shows what a finished task cost and where its images are', async () => {
    const id = await submit();
    const images = [{ url: ['https://example.com/1.png'], expires_at: 4_000_000_000 }];
    const usage = { input_tokens: 3, output_tokens: 196, total_tokens: 199 };
    const outcome = { kind: 'completed', costNano: 1_234_567n, result: { images }, usage } as const;
    await api.end(id, outcome);
    const { body } = await get(id);
    expect(body.data).toMatchObject({
      id,
      status: 'completed',
      progress: 100,
      cost: 0.001234567,
      credits_cost: 0.01234567,
      reserved: 0,
      result: { images },
      usage,
      completed: expect.any(Number),
      actual_time: expect.any(Number),
    });
    expect(body.data).not.toHaveProperty('error');
  });

  it('shows why a task failed, and that it cost nothing', async () => {
    const id = await submit();
    const error = taskError('timeout');
    const { template: _, ...shown } = error;
    await api.end(id, { kind: 'failed', error });
    const { body } = await get(id);
    expect(body.data).toMatchObject({ status: 'failed', progress: 100, cost: 0, credits_cost: 0, reserved: 0 });
    expect(body.data.error).toEqual(shown);
    expect(body.data).not.toHaveProperty('result');
  });

  it('accepts a language, known or not', async () => {
    const id = await submit();
    for (const language of ['zh', 'xx', '']) expect((await get(`${id}?language=${language}`)).status).toBe(200);
  });
});

describe('POST /v1/tasks/batch', () => {
  it('answers in the order asked for, each one found or not on its own', async () => {
    const [first, second] = [await submit(), await submit()];
    const { status, body } = await batch({ task_ids: [second, 'nothing', first, second], language: 'de' });
    expect(status).toBe(200);
    expect(body.code).toBe(200);
    expect(body.data.map((element: { id: string; status: string }) => [element.id, element.status])).toEqual([
      [second, 'submitted'],
      ['nothing', 'not_found'],
      [first, 'submitted'],
      [second, 'submitted'],
    ]);
    expect(body.data[1]).toEqual({
      id: 'nothing',
      status: 'not_found',
      error: { code: 404, message: 'Aufgabe nicht gefunden.', type: 'not_found', reason: 'not_found' },
    });
    expect(body.data[0]).toEqual((await get(second)).body.data);
  });

  it('takes `ids` as another name, and up to 100 of them', async () => {
    const id = await submit();
    const { body } = await batch({ ids: Array.from({ length: 100 }, () => id) });
    expect(body.data).toHaveLength(100);
  });

  it.each([
    ['nothing', {}],
    ['no list', { task_ids: 'task_1' }],
    ['an empty list', { task_ids: [] }],
    ['101 ids', { task_ids: Array.from({ length: 101 }, () => 'task_1') }],
    ['an id that is no text', { task_ids: ['task_1', 2] }],
    ['a language that is no text', { task_ids: ['task_1'], language: 1 }],
  ])('refuses %s with 400', async (_why, body) => {
    const answer = await batch(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.type).toBe('invalid_request_error');
  });

  it('names everything at fault, 20 fields at most', async () => {
    const { error } = (await batch({ task_ids: ['task_1', 2, 3], language: 1 })).body;
    expect(error).toMatchObject({ param: 'task_ids[1]', message: 'task_ids[1] must be a string' });
    expect(error.errors.map(({ param }: { param: string }) => param)).toEqual([
      'task_ids[1]',
      'task_ids[2]',
      'language',
    ]);
    const numbers = await batch({ task_ids: Array.from({ length: 100 }, () => 1) });
    expect(numbers.body.error.errors).toHaveLength(20);
  });
});
