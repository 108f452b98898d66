import { taskError } from '@mediagate/billing';
import { MESSAGES, newTaskId, type TaskId } from '@mediagate/contracts';
import { forAllTests, runSql, until } from '@mediagate/testkit';
import { ALLOWED_ORIGIN, SMALL_IMAGE, startTestApi } from '../../../../test/test-api';

const api = forAllTests(() => startTestApi({ waits: { max: 20, accountMax: 3 } }));
const caller = forAllTests(() => api.createCaller());

const webhook = `${ALLOWED_ORIGIN}/hook`;
const get = (path: string, key = caller.key) => api.get(path, { key });
const post = (headers: Record<string, string>, body: object = SMALL_IMAGE) =>
  api.post('/v1/images/generations', body, { key: caller.key, headers });

async function submit(fields: object = {}): Promise<TaskId> {
  return (await post({}, { ...SMALL_IMAGE, ...fields })).body.data[0].task_id;
}

async function fail(taskId: TaskId): Promise<void> {
  await api.end(taskId, { kind: 'failed', error: taskError('timeout') });
}

const progressTo = (id: TaskId, progress: number) =>
  api.database.task.update({ where: { id }, data: { status: 'processing', progress } });

async function newestTask(): Promise<TaskId> {
  const [row] = await api.database.task.findMany({
    where: { accountId: caller.accountId },
    orderBy: { id: 'desc' },
    take: 1,
  });
  return row?.id as TaskId;
}

describe('GET /v1/tasks/{id}?wait=', () => {
  it('200: answers when the task ends, with the record as it reads afterwards', async () => {
    const id = await submit({ webhook });
    const waiting = get(`/v1/tasks/${id}?wait=60`);
    await fail(id);
    const { status, body } = await waiting;
    expect([status, body]).toEqual([200, (await get(`/v1/tasks/${id}`)).body]);
    expect(body.data).toMatchObject({ status: 'failed', callback: { next_attempt_at: expect.any(Number) } });
    expect((await get(`/v1/tasks/${id}?wait=60`)).body).toEqual(body);
  });

  it('200: after the time, with the task as it is', async () => {
    const id = await submit();
    expect((await get(`/v1/tasks/${id}?wait=1`)).body.data.status).toBe('submitted');
    expect((await get(`/v1/tasks/${id}?wait=0`)).body.data.status).toBe('submitted');
  });

  it.each(['1e3', '-1', 'long', '1.5'])('400: names wait=%s', async (wait) => {
    const { status, body } = await get(`/v1/tasks/${await submit()}?wait=${wait}`);
    expect([status, body.error.param]).toEqual([400, 'wait']);
  });

  it('404: long before the wait is over, also for another account’s task', async () => {
    const stranger = await api.createCaller();
    expect((await get(`/v1/tasks/${newTaskId()}?wait=60`)).status).toBe(404);
    expect((await get(`/v1/tasks/${await submit()}?wait=60`, stranger.key)).status).toBe(404);
  });
});

describe('Prefer: wait', () => {
  it('200: a submission answers the record of the task that has ended in time', async () => {
    const before = await newestTask();
    const waiting = post(
      { Prefer: 'respond-async, wait=60', 'Idempotency-Key': 'one' },
      { ...SMALL_IMAGE, colour: 'red' },
    );
    let id = await newestTask();
    while (id === before) id = await newestTask();
    await fail(id);
    const { status, headers, body } = await waiting;
    expect([status, headers.get('preference-applied'), headers.get('x-task-id')]).toEqual([200, 'wait', id]);
    const { warnings, ...record } = body.data;
    expect(record).toEqual((await get(`/v1/tasks/${id}`)).body.data);
    expect(warnings).toEqual([expect.stringContaining('colour')]);
    const again = await post({ Prefer: 'wait=60', 'Idempotency-Key': 'one' }, { ...SMALL_IMAGE, colour: 'red' });
    expect([again.body.data.id, again.headers.get('idempotency-replayed')]).toEqual([id, 'true']);
  });

  it.each(['wait=1', 'wait=0', 'respond-async'])('200: `%s` is the usual acknowledgement meanwhile', async (prefer) => {
    const { status, headers, body } = await post({ Prefer: prefer });
    expect([status, headers.get('preference-applied')]).toEqual([200, null]);
    expect(body.data).toEqual([{ status: 'submitted', task_id: headers.get('x-task-id') }]);
  });
});

describe('Prefer: wait=soon', () => {
  const PREFER = { Prefer: 'wait=soon' };
  const PROBLEM = 'wait must be a whole number of seconds, such as wait=60';

  it('200: is ignored with a warning', async () => {
    const { status, body } = await post(PREFER, { ...SMALL_IMAGE, colour: 'red' });
    expect([status, body.data[0].warnings]).toEqual([
      200,
      [`Prefer was ignored: ${PROBLEM}`, expect.stringContaining('colour')],
    ]);
  });

  it('400: is refused by the header’s name where the caller is strict, and nothing is booked', async () => {
    const before = await newestTask();
    const { status, body } = await post({ ...PREFER, Strict: 'true' });
    expect([status, body.error.param, body.error.message]).toEqual([400, 'Prefer', `Prefer: ${PROBLEM}`]);
    expect(await newestTask()).toBe(before);
  });
});

describe('Prefer: wait, cancel-on-hangup', () => {
  const CANCELS = { Prefer: 'wait=60, cancel-on-hangup' };
  const read = (id: TaskId) => api.database.task.findUniqueOrThrow({ where: { id } });
  /** Has a later caller's task cancelled by the same way, so that the turn of one who hung up before is over. */
  async function cancelAnother() {
    const { id, hangUp } = await wait(CANCELS);
    await hangUp();
    await until(async () => (await read(id)).status === 'failed');
  }

  /** Waits for a new task over a connection of its own, which `hangUp` closes. */
  async function wait(headers: Record<string, string>, path = '/v1/images/generations', body: object = SMALL_IMAGE) {
    const before = await newestTask();
    const leave = new AbortController();
    const waiting = fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${caller.key}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: leave.signal,
    });
    const id = await until(async () => {
      const newest = await newestTask();
      return newest !== before && newest;
    });
    async function hangUp() {
      leave.abort();
      await expect(waiting).rejects.toThrow();
    }
    return { id, hangUp };
  }

  const OPENAI = '/openai/v1/images/generations';
  const PARTS = { contents: [{ parts: [{ text: 'a lighthouse' }] }] };
  const ALWAYS_WAITED = { Prefer: 'cancel-on-hangup' };

  it.each<[where: string, headers: Record<string, string>, path?: string, body?: object]>([
    ['a submission', CANCELS],
    ['OpenAI’s images', ALWAYS_WAITED, OPENAI],
    ['OpenAI’s images whose client repeats', { ...ALWAYS_WAITED, 'X-Stainless-Retry-Count': '0' }, OPENAI],
    ['OpenAI’s images as events', ALWAYS_WAITED, OPENAI, { ...SMALL_IMAGE, stream: true }],
    ['images by generateContent', ALWAYS_WAITED, '/v1beta/models/imagegen-2.5-flare:generateContent', PARTS],
  ])(
    'cancels with a refund a task that nobody has begun, once its caller has hung up: %s',
    async (_where, ...request) => {
      const { id, hangUp } = await wait(...request);
      await hangUp();
      const task = await until(async () => {
        const row = await read(id);
        return row.status === 'failed' && row;
      });
      expect(task.error).toMatchObject({ reason: 'cancelled' });
      expect(await api.database.ledgerEntry.count({ where: { taskId: id, kind: 'refund' } })).toBe(1);
    },
  );

  it('a repetition by a client whose call was cancelled has a task of its own', async () => {
    const { id, hangUp } = await wait({ ...ALWAYS_WAITED, 'X-Stainless-Retry-Count': '0' }, OPENAI);
    await hangUp();
    await until(async () => (await read(id)).status === 'failed');
    const again = await wait({ ...ALWAYS_WAITED, 'X-Stainless-Retry-Count': '1' }, OPENAI);
    expect(again.id).not.toBe(id);
    await again.hangUp();
  });

  it.each<[what: string, headers: Record<string, string>, path?: string]>([
    ['that did not ask for it', { Prefer: 'wait=60' }],
    ['that did not ask for it of OpenAI’s images', {}, OPENAI],
    ['whose Idempotency-Key another may repeat', { ...CANCELS, 'Idempotency-Key': 'shared' }],
  ])('leaves the task of a caller %s', async (_what, ...request) => {
    const { id, hangUp } = await wait(...request);
    await hangUp();
    await cancelAnother();
    expect((await read(id)).status).toBe('submitted');
  });

  it('leaves work that has begun', async () => {
    const { id, hangUp } = await wait(CANCELS);
    await runSql(api.database, BEGUN, [id]);
    await hangUp();
    await cancelAnother();
    expect(await read(id)).toMatchObject({ status: 'processing', error: null });
  });

  it('leaves a task that another caller waits for', async () => {
    const { id, hangUp } = await wait(CANCELS);
    const events = await follow(id);
    await events.next();
    await hangUp();
    await cancelAnother();
    expect((await read(id)).status).toBe('submitted');
    events.leave();
  });
});

const BEGUN = `
with attempt as (
  insert into task_attempts (id, task_id, number, channel_id, protocol, state, external_id)
  values ('att_' || $1, $1, 1, 'channel', 'dashscope-video', 'accepted', 'job')
)
update tasks set status = 'processing', fence = 1, attempt_id = 'att_' || $1, attempt_state = 'accepted', channel_id = 'channel',
  attempts_made = 1, next_step_at = now() + interval '1 hour' where id = $1`;

interface TaskEvent {
  id: string;
  data: { id: TaskId; status: string; progress: number };
}

/** Reads events one by one. */
async function follow(id: TaskId, headers: Record<string, string> = {}) {
  const leave = new AbortController();
  const response = await fetch(`${api.url}/v1/tasks/${id}/events`, {
    headers: { Authorization: `Bearer ${caller.key}`, ...headers },
    signal: leave.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<TaskEvent | undefined> {
    while (!text.includes('\n\n')) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return undefined;
      text += value;
    }
    const [event = '', ...rest] = text.split('\n\n');
    text = rest.join('\n\n');
    const [, eventId = '', data = ''] = /^event: task\nid: (\d+)\ndata: (.*)$/.exec(event) ?? [];
    return { id: eventId, data: JSON.parse(data) };
  }
  return { response, next, leave: () => leave.abort() };
}

describe('GET /v1/tasks/{id}/events', () => {
  it('200: sends each state, and closes after the last, which reads as a poll does', async () => {
    const id = await submit({ webhook });
    const { response, next } = await follow(id);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await next()).toMatchObject({ id: '1000', data: { id, status: 'submitted', progress: 0 } });
    await progressTo(id, 40);
    expect(await next()).toMatchObject({ id: '3040', data: { status: 'processing', progress: 40 } });
    await fail(id);
    expect(await next()).toEqual({ id: '5100', data: (await get(`/v1/tasks/${id}`)).body.data });
    expect(await next()).toBeUndefined();
  });

  it('200: goes on after `Last-Event-ID`, by any process', async () => {
    const id = await submit();
    await progressTo(id, 40);
    const known = await follow(id, { 'Last-Event-ID': '3040' });
    const behind = await follow(id, { 'Last-Event-ID': '1000' });
    expect(await behind.next()).toMatchObject({ id: '3040' });
    await fail(id);
    for (const { next } of [known, behind]) expect([(await next())?.id, await next()]).toEqual(['5100', undefined]);
    expect((await follow(id, { 'Last-Event-ID': '3040' })).response.status).toBe(200);
  });

  it('204: when the last event was received', async () => {
    const id = await submit();
    await fail(id);
    const { next } = await follow(id);
    expect([(await next())?.id, await next()]).toEqual(['5100', undefined]);
    expect((await follow(id, { 'Last-Event-ID': '5100' })).response.status).toBe(204);
  });
});

it('429: an account waits as often at once as it may, whatever for; without a wait it goes on', async () => {
  const crowd = await api.createCaller();
  const submitOne = () => api.post('/v1/images/generations', SMALL_IMAGE, { key: crowd.key });
  const id = (await submitOne()).body.data[0].task_id;
  const leave = new AbortController();
  const events = { headers: { Authorization: `Bearer ${crowd.key}` }, signal: leave.signal };
  await Promise.all(Array.from({ length: 3 }, () => fetch(`${api.url}/v1/tasks/${id}/events`, events)));
  const message = MESSAGES.too_many_waiting_of_account;
  for (const path of [`/v1/tasks/${id}?wait=60`, `/v1/tasks/${id}/events`]) {
    const { status, headers, body } = await get(path, crowd.key);
    expect([status, headers.get('retry-after'), body.error.message]).toEqual([429, '5', message]);
  }
  const booked = () => api.database.task.count({ where: { accountId: crowd.accountId } });
  const before = await booked();
  expect((await api.post('/openai/v1/images/generations', SMALL_IMAGE, { key: crowd.key })).status).toBe(429);
  expect(await booked()).toBe(before);
  const headers = { Prefer: 'wait=60' };
  const preferred = await api.post('/v1/images/generations', SMALL_IMAGE, { key: crowd.key, headers });
  expect([preferred.status, preferred.body.data[0].status]).toEqual([200, 'submitted']);
  expect((await get(`/v1/tasks/${id}`, crowd.key)).status).toBe(200);
  leave.abort();
});

it('a shutdown ends every wait at once, with what is known', async () => {
  const ending = await startTestApi();
  const { key } = await ending.createCaller();
  const submitOne = async () =>
    (await ending.post('/v1/images/generations', SMALL_IMAGE, { key })).body.data[0].task_id;
  const [polled, followed] = [await submitOne(), await submitOne()];
  const poll = ending.get(`/v1/tasks/${polled}?wait=60`, { key });
  const stream = await fetch(`${ending.url}/v1/tasks/${followed}/events`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const prefers = ending.post('/v1/images/generations', SMALL_IMAGE, { key, headers: { Prefer: 'wait=60' } });
  await until(async () => (await ending.database.task.count()) === 3, 'all are booked');
  await ending.drain();
  expect((await poll).body.data.status).toBe('submitted');
  expect((await prefers).body.data).toEqual([{ status: 'submitted', task_id: expect.any(String) }]);
  expect(await stream.text()).toMatch(/^event: task\nid: 1000\ndata: .*\n\n$/);
  await ending.stop();
});
