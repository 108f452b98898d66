import { setTimeout as delay } from 'node:timers/promises';
import { createFinisher, type Finish, taskError } from '@mediagate/billing';
import { type JsonObject, message, type TaskId } from '@mediagate/contracts';
import { type Answer, type Caller, SMALL_IMAGE, startTestApi, type TestApi } from '../../../test/test-api';
import { fileOf, pngOf } from '../../../test/test-images';

let api: TestApi;
let caller: Caller;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  caller = await api.createCaller();
});

const GENERATIONS = '/openai/v1/images/generations';
const EDITS = '/openai/v1/images/edits';
const PNG = pngOf(16, 16);
const LOOK_MS = 20;

const send = (body: unknown, headers: Record<string, string> = {}, path = GENERATIONS) =>
  api.post(path, body, { key: caller.key, headers });

/** Resolves as soon as the caller's submission is in the books. */
async function untilBooked(): Promise<TaskId> {
  for (;;) {
    const task = await api.database.task.findFirst({ where: { accountId: caller.accountId, status: 'submitted' } });
    if (task) return task.id as TaskId;
    await delay(LOOK_MS);
  }
}

const end = (taskId: TaskId, outcome: Finish['outcome']) =>
  createFinisher(api.database)({ taskId, accountId: caller.accountId, fence: 'any', outcome });

const USAGE = { input_tokens: 3, output_tokens: 196, total_tokens: 199 };

/** Completes the task as a worker that made so many images. */
async function complete(taskId: TaskId, images = 1, usage: JsonObject = USAGE): Promise<string[]> {
  const { accountId } = caller;
  const file = { accountId, taskId, bytes: PNG, contentType: 'image/png', lifetimeMs: 3_600_000 };
  const saved = await Promise.all(
    Array.from({ length: images }, () => api.mediaStore.save({ ...file, purpose: 'result' as const })),
  );
  const url = saved.map((each) => each.url);
  const result = { images: [{ url, expires_at: 4_000_000_000 }] };
  await end(taskId, { kind: 'completed', costNano: 1n, result, usage });
  return url;
}

async function made(
  answer: Promise<Answer>,
  images = 1,
  usage: JsonObject = USAGE,
): Promise<Answer & { urls: string[] }> {
  const urls = await complete(await untilBooked(), images, usage);
  return { ...(await answer), urls };
}

describe('POST /openai/v1/images/generations', () => {
  it('answers with links when the task has ended', async () => {
    const { status, body, headers, urls } = await made(send({ ...SMALL_IMAGE, n: 2, response_format: 'url' }), 2);
    expect(status).toBe(200);
    expect(body).toEqual({
      created: expect.any(Number),
      data: urls.map((url) => ({ url })),
      usage: { ...USAGE, input_tokens_details: { text_tokens: 3, image_tokens: 0 } },
    });
    expect(headers.get('x-task-id')).toMatch(/^task_/);
  });

  it('answers with the images themselves, as OpenAI’s models of the kind do, and of other models where they are asked for', async () => {
    const { body } = await made(send({ ...SMALL_IMAGE, n: 2, stream: false }), 2);
    expect(body.data).toEqual([{ b64_json: PNG.toString('base64') }, { b64_json: PNG.toString('base64') }]);
    expect(body.usage.total_tokens).toBe(199);
    const seed = { model: 'imageseed-4.0', prompt: 'a boat' };
    expect(Object.keys((await made(send(seed))).body.data[0])).toEqual(['url']);
    const asked = await made(send({ ...seed, prompt: 'a ship', response_format: 'b64_json' }));
    expect(Object.keys(asked.body.data[0])).toEqual(['b64_json']);
  });

  it('says of what the input was where the vendor counted it, which the record leaves out', async () => {
    const input_tokens_details = { text_tokens: 2, image_tokens: 1 };
    const { body, headers } = await made(send(SMALL_IMAGE), 1, { ...USAGE, input_tokens_details });
    expect(body.usage).toEqual({ ...USAGE, input_tokens_details });
    const record = await api.get(`/v1/tasks/${headers.get('x-task-id')}`, { key: caller.key });
    expect(record.body.data.usage).toEqual(USAGE);
  });

  it('reads qualities and sizes of older models as those of the model, and says so', async () => {
    const { status, body } = await made(send({ ...SMALL_IMAGE, quality: 'hd', size: '512x512' }));
    expect([status, body.warnings]).toEqual([200, ['quality was read as high', 'size was read as 1024x1024']]);
  });

  it('takes a size in pixels of models that take ratios, as the ratio that it has, and says so', async () => {
    const { status, body } = await made(send({ model: 'imageseed-4.0', prompt: 'a boat', size: '1536x1024' }));
    expect([status, body.warnings]).toEqual([200, ['size was read as the ratio 3:2: the model takes no pixels']]);
    const none = await send({ model: 'imageseed-4.0', prompt: 'a boat', size: '1792x1024' });
    expect([none.status, none.body.error.param, none.body.error.message]).toEqual([
      400,
      'size',
      expect.stringContaining('1:1, 4:3'),
    ]);
  });

  it('answers a repetition under one Idempotency-Key with the same images, and books nothing', async () => {
    const headers = { 'Idempotency-Key': `key-${caller.keyId}` };
    const first = await made(send(SMALL_IMAGE, headers));
    const rows = await api.countRows();
    const second = await send(SMALL_IMAGE, headers);
    expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect(await api.countRows()).toEqual(rows);
  });

  it('lets the task go on when its caller leaves', async () => {
    const left = new AbortController();
    const answer = api.post(GENERATIONS, SMALL_IMAGE, { key: caller.key, signal: left.signal });
    const taskId = await untilBooked();
    left.abort();
    await expect(answer).rejects.toThrow();
    await complete(taskId);
    const { body } = await api.get(`/v1/tasks/${taskId}`, { key: caller.key });
    expect(body.data).toMatchObject({ status: 'completed', result: { images: [expect.anything()] } });
  });

  it.each([
    ['content_policy', 400, 'invalid_request_error', 'content_policy_violation'],
    ['no_upstream', 503, 'server_error', 'no_upstream'],
    ['upstream_error', 502, 'server_error', 'upstream_error'],
    ['internal_error', 500, 'server_error', 'internal_error'],
  ] as const)('says why a task failed: %s is %i', async (reason, expected, type, code) => {
    const answer = send(SMALL_IMAGE);
    const taskId = await untilBooked();
    await end(taskId, { kind: 'failed', error: taskError(reason) });
    const { status, body, headers } = await answer;
    expect([status, headers.get('x-should-retry')]).toEqual([expected, 'false']);
    expect(body.error).toEqual({
      message: expect.any(String),
      type,
      code,
      reason,
      param: null,
      task_id: taskId,
      request_id: expect.any(String),
    });
  });

  it.each([
    ['stream', { stream: true }],
    ['partial_images', { partial_images: 2 }],
    ['response_format', { response_format: 'png' }],
    ['webhook', { webhook: 'https://example.com' }],
    ['n', { n: 99 }],
  ])('refuses %s with 400, naming it, and books nothing', async (param, fields) => {
    const rows = await api.countRows();
    const { status, body } = await send({ ...SMALL_IMAGE, ...fields });
    expect([status, body.error.type, body.error.param]).toEqual([400, 'invalid_request_error', param]);
    expect(await api.countRows()).toEqual(rows);
  });

  it('answers 402 in the words by which its clients know an empty account', async () => {
    const poor = await api.createCaller({ balance: '0' });
    const { status, body } = await api.post(GENERATIONS, SMALL_IMAGE, { key: poor.key });
    expect([status, body.error.type, body.error.code]).toEqual([402, 'insufficient_quota', 'insufficient_quota']);
  });

  it('answers 401 and 400 for an unknown model in the same dialect', async () => {
    const none = await api.post(GENERATIONS, SMALL_IMAGE);
    expect([none.status, none.body.error.type, none.body.error.code]).toEqual([
      401,
      'authentication_error',
      'invalid_api_key',
    ]);
    const unknown = await send({ ...SMALL_IMAGE, model: 'dall-e-3' });
    expect([unknown.status, unknown.body.error.code, unknown.body.error.param]).toEqual([
      400,
      'model_not_found',
      'model',
    ]);
  });

  it('answers 504 with the task when the process ends before it, and nothing is lost', async () => {
    const other = await startTestApi({ times: { drainTimeoutMs: 5_000 } });
    try {
      const { key, accountId } = await other.createCaller();
      const answer = other.post(GENERATIONS, SMALL_IMAGE, { key });
      while ((await other.database.task.count({ where: { accountId } })) === 0) await delay(LOOK_MS);
      await other.drain();
      const { status, body, headers } = await answer;
      const [task] = await other.database.task.findMany({ where: { accountId } });
      expect([status, body.error.code, body.error.task_id]).toEqual([504, 'still_running', task?.id]);
      expect([headers.get('x-should-retry'), headers.get('x-task-id')]).toEqual(['false', task?.id]);
      expect(body.error.message).toContain(`/v1/tasks/${task?.id}`);
    } finally {
      await other.stop();
    }
  });
});

describe('POST /v1/images/generations and edits', () => {
  it.each(['generations', 'edits'])(
    '400: tells OpenAI’s clients which base is theirs, and books nothing: %s',
    async (action) => {
      const rows = await api.countRows();
      const { status, body } = await send(SMALL_IMAGE, { 'x-stainless-lang': 'python' }, `/v1/images/${action}`);
      expect([status, body.error.type, body.error.param]).toEqual([400, 'invalid_request_error', null]);
      expect(body.error.message).toContain('http://127.0.0.1:8080/openai/v1');
      expect(await api.countRows()).toEqual(rows);
    },
  );

  it('200: gives others the price that such a client asks for by the path', async () => {
    const estimate = { path: '/v1/images/generations', body: SMALL_IMAGE };
    expect((await send(estimate, { 'x-stainless-lang': 'js' }, '/v1/estimate')).status).toBe(200);
  });
});

describe('POST /openai/v1/images/edits', () => {
  it('takes the form of the clients, and answers like a generation', async () => {
    const form = new FormData();
    const fields = { model: 'imagegen-2.5-flare', prompt: 'a boat', n: '1', response_format: 'b64_json', user: 'u' };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('image[]', fileOf(pngOf(8, 8)), 'a.png');
    const { status, body } = await made(send(form, {}, EDITS));
    expect([status, body.data]).toEqual([200, [{ b64_json: PNG.toString('base64') }]]);
    expect(body.warnings).toEqual([expect.stringContaining('user was ignored')]);
  });

  it('refuses an edit without an image, and a stream', async () => {
    const body = { model: 'imagegen-2.5-flare', prompt: 'a boat' };
    const none = await send(body, {}, EDITS);
    expect([none.status, none.body.error.param]).toEqual([400, 'image']);
    const stream = await send({ ...body, image_urls: ['https://example.com/a.png'], stream: true }, {}, EDITS);
    expect([stream.status, stream.body.error.param]).toEqual([400, 'stream']);
  });
});

it('an error of a task that names a field is the answer’s own', async () => {
  const answer = send(SMALL_IMAGE);
  const about = message('parameter_rejected', { parameter: 'size' });
  const error = taskError('invalid_parameter', { message: about, param: 'size' });
  await end(await untilBooked(), { kind: 'failed', error });
  const { status, body } = await answer;
  expect([status, body.error.param, body.error.message]).toEqual([400, 'size', expect.stringContaining('size')]);
});
