import { type FinishRequest, taskError } from '@mediagate/billing';
import { type JsonObject, message, type TaskId } from '@mediagate/contracts';
import { forAllTests, forEachTest, until, withoutGuards } from '@mediagate/testkit';
import { type Answer, SMALL_IMAGE, startTestApi } from '../../../../test/test-api';
import { fileOf, pngOf } from '../../../../test/test-images';

const api = forAllTests(startTestApi);
const caller = forEachTest(() => api.createCaller());

const GENERATIONS = '/openai/v1/images/generations';
const EDITS = '/openai/v1/images/edits';
const PNG = pngOf(16, 16);

const send = (body: unknown, headers: Record<string, string> = {}, path = GENERATIONS) =>
  api.post(path, body, { key: caller.key, headers });

/** Resolves as soon as the caller's submission is in the books. */
async function untilBooked(): Promise<TaskId> {
  const where = { accountId: caller.accountId, status: 'submitted' } as const;
  const task = await until(async () => (await api.database.task.findFirst({ where })) ?? undefined, 'it is booked');
  return task.id as TaskId;
}

const end = (taskId: TaskId, outcome: FinishRequest['outcome']) => api.end(taskId, outcome);

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
    expect([status, body.warnings]).toEqual([
      200,
      ['size was read as the ratio 3:2: the model does not support sizes in pixels'],
    ]);
    const none = await send({ model: 'imageseed-4.0', prompt: 'a boat', size: '1792x1024' });
    expect([none.status, none.body.error.param, none.body.error.message]).toEqual([
      400,
      'size',
      expect.stringContaining('1:1, 4:3'),
    ]);
  });

  it('comes as an event an image where a stream is asked for, with the base64 and, in the last, the usage', async () => {
    const asked = { ...SMALL_IMAGE, n: 2, stream: true, partial_images: 2 };
    const { status, headers, body } = await made(send(asked), 2);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const events = String(body).replaceAll(':\n\n', '').split('\n\n').slice(0, -1);
    const shown = events.map((event) => JSON.parse(event.replace('event: image_generation.completed\ndata: ', '')));
    const said = { type: 'image_generation.completed', b64_json: PNG.toString('base64'), quality: 'low' };
    expect(shown).toEqual([
      expect.objectContaining(said),
      expect.objectContaining({ ...said, usage: expect.anything() }),
    ]);
    expect([shown[0].usage, shown[0].warnings]).toEqual([undefined, [expect.stringContaining('partial_images')]]);
    const strict = await send(asked, { Strict: 'true' });
    expect([strict.status, strict.body.error.param]).toEqual([400, 'partial_images']);
  });

  it('of a stream whose task fails it is told by its status, before anything has gone out', async () => {
    const answer = send({ ...SMALL_IMAGE, stream: true });
    await end(await untilBooked(), { kind: 'failed', error: taskError('content_policy') });
    expect([(await answer).status, (await answer).body.error.code]).toEqual([400, 'content_policy_violation']);
  });

  it('sizes and qualities of older models are refused under `Strict`', async () => {
    for (const older of [{ size: '256x256' }, { quality: 'hd' }]) {
      const { status, body } = await send({ ...SMALL_IMAGE, ...older }, { Strict: 'true' });
      expect([status, body.error.param]).toEqual([400, Object.keys(older)[0]]);
    }
  });

  it('answers repetitions under one Idempotency-Key, at once and later, with the same images, and books nothing', async () => {
    const headers = { 'Idempotency-Key': `key-${caller.keyId}` };
    const atOnce = [send(SMALL_IMAGE, headers), send(SMALL_IMAGE, headers)];
    await complete(await untilBooked());
    const [first, second] = await Promise.all(atOnce);
    expect([first?.status, second?.body]).toEqual([200, first?.body]);
    const rows = await api.countRows();
    const later = await send(SMALL_IMAGE, headers);
    expect([later.body, later.headers.get('idempotency-replayed')]).toEqual([first?.body, 'true']);
    expect(await api.countRows()).toEqual(rows);
    expect(await api.database.task.count({ where: { accountId: caller.accountId } })).toBe(1);
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
    expect(body.error).toMatchObject({ type, code, reason, param: null, task_id: taskId });
  });

  it.each([
    ['response_format', { stream: true, response_format: 'url' }],
    ['partial_images', { partial_images: 1 }],
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

  it.each([
    ['webhook', GENERATIONS],
    ['callback_url', GENERATIONS],
    ['notifyHook', GENERATIONS],
    ['webhook_url', EDITS],
  ])('sends %s at %s to no other field: nobody is called back', async (param, path) => {
    const edited = path === EDITS ? { image_urls: ['https://example.com/a.png'] } : {};
    const { status, body } = await send({ ...SMALL_IMAGE, ...edited, [param]: 'https://example.com' }, {}, path);
    expect([status, body.error.param, body.error.message]).toEqual([
      400,
      param,
      `${param}: parameter is not supported`,
    ]);
  });

  it('answers 400 for an unknown model in the same dialect', async () => {
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
      await until(async () => (await other.database.task.count({ where: { accountId } })) > 0, 'it is booked');
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

it.each(['generations', 'edits'])('POST /v1/images/%s acknowledges whatever client asks', async (action) => {
  const body = { ...SMALL_IMAGE, ...(action === 'edits' && { image_urls: ['https://example.com/a.png'] }) };
  const answer = await send(body, { 'x-stainless-lang': 'python' }, `/v1/images/${action}`);
  expect([answer.status, answer.body.data[0].status]).toEqual([200, 'submitted']);
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

  it('refuses an edit without an image', async () => {
    const body = { model: 'imagegen-2.5-flare', prompt: 'a boat' };
    const none = await send(body, {}, EDITS);
    expect([none.status, none.body.error.param]).toEqual([400, 'image']);
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

describe('a request that a client sends again by itself', () => {
  const attempt = (number: number, body: object = SMALL_IMAGE) => {
    const abandoned = new AbortController();
    const headers = { 'x-stainless-retry-count': String(number) };
    const answer = api.post(GENERATIONS, body, { key: caller.key, headers, signal: abandoned.signal });
    answer.catch(() => undefined);
    return { answer, abandon: () => abandoned.abort() };
  };
  const tasks = () => api.database.task.count({ where: { accountId: caller.accountId } });
  /** Resolves once the task answers repetitions; without one, once none does. */
  const untilKept = async (taskId?: TaskId) => {
    const keyId = caller.keyId;
    const kept = () => api.database.idempotencyKey.findFirst({ where: { keyId } });
    await until(async () => (await kept())?.taskId === taskId, `${taskId} answers repetitions`);
  };
  const endedSecondsAgo = (taskId: TaskId, seconds: number) =>
    withoutGuards(
      api.database,
      `update tasks set completed_at = now() - interval '${seconds} s' where id = '${taskId}'`,
    );
  const nextTask = async (count: number): Promise<TaskId> => {
    await until(async () => (await tasks()) >= count, `${count} tasks`);
    const [last] = await api.database.task.findMany({
      where: { accountId: caller.accountId },
      orderBy: { id: 'desc' },
    });
    return last?.id as TaskId;
  };

  /** A request whose caller has left; its task. */
  const abandoned = async () => {
    const first = attempt(0);
    const taskId = await nextTask(1);
    await untilKept(taskId);
    first.abandon();
    return taskId;
  };

  it('joins the task of the first, whose wait was abandoned: one task, one charge, the same images', async () => {
    const taskId = await abandoned();
    const again = attempt(1);
    await complete(taskId);
    const { status, headers } = await again.answer;
    expect([status, headers.get('x-task-id'), headers.get('idempotency-replayed')]).toEqual([200, taskId, 'true']);
    expect(await tasks()).toBe(1);
  });

  it.each(['completed', 'failed'])(
    'has a task of its own once a task of the same request, %s, was told whole, as it is that of another request',
    async (status) => {
      const first = attempt(0);
      const taskId = await nextTask(1);
      await untilKept(taskId);
      if (status === 'completed') await complete(taskId);
      else await end(taskId, { kind: 'failed', error: taskError('content_policy') });
      await first.answer;
      await untilKept();
      expect((await made(attempt(1).answer)).headers.get('idempotency-replayed')).toBeNull();
      expect(await tasks()).toBe(2);
    },
  );

  it.each([
    ['has that task where it ended within the last minute and was not told', 0, 'true'],
    ['has a task of its own where the first ended over a minute ago', 61, null],
  ])('%s', async (_name, seconds, replayed) => {
    const taskId = await abandoned();
    await complete(taskId);
    await endedSecondsAgo(taskId, seconds);
    const { answer } = attempt(1);
    const { headers } = replayed ? await answer : await made(answer);
    expect(headers.get('idempotency-replayed')).toBe(replayed);
  });

  it('joins the one whose caller left last, else the latest, of the same requests, each of which has a task of its own', async () => {
    const first = attempt(0);
    const one = await nextTask(1);
    await untilKept(one);
    const second = attempt(0);
    const two = await nextTask(2);
    await untilKept(two);
    first.abandon();
    await untilKept(one);
    const again = attempt(1);
    await complete(two);
    expect((await second.answer).headers.get('x-task-id')).toBe(two);
    await complete(one);
    expect((await again.answer).headers.get('x-task-id')).toBe(one);
    expect(await tasks()).toBe(2);
  });

  it('has a task of its own where none came before it, or one of another body', async () => {
    const taskId = await abandoned();
    await complete(taskId);
    const another = await made(attempt(1, { ...SMALL_IMAGE, prompt: 'another' }).answer);
    expect([another.status, another.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect(await tasks()).toBe(2);
  });
});
