import { MESSAGES, message, type TaskFailureReason } from '@mediagate/contracts';
import { callSpeech } from '../../../../test/speech-call';
import { type SpeechWorker, startSpeechWorker } from '../../../../test/speech-worker';
import { type Caller, startTestApi, type TestApi } from '../../../../test/test-api';

let api: TestApi;
let worker: SpeechWorker;
let caller: Caller;

beforeAll(async () => {
  api = await startTestApi({ times: { speech: { lookMs: 300 } } });
  worker = startSpeechWorker(api);
  caller = await api.createCaller();
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});

const speak = (body: Record<string, unknown>) => callSpeech(api, { key: caller.key, ...body });
const met = (text: string) => worker.meet(text);
const taskOf = (id: string) => api.database.task.findUniqueOrThrow({ where: { id } });
const REFUNDED = { status: 'failed', costNano: 0n };

describe('a body that is wrong', () => {
  it.each([
    ['no input', { input: undefined }, 'input is required'],
    [
      'a model that does not speak',
      { model: 'imagegen-2.5-flare' },
      expect.stringMatching(
        /^model "imagegen-2.5-flare" is for POST \/v1\/images\/generations; choose one of ttsmodel-mini, /,
      ),
    ],
  ])('%s is 400, and costs nothing', async (_what, fields, message) => {
    const before = await api.countRows();
    const { status, error } = await speak({ input: 'land ahoy', ...fields }).error();
    expect({ status, error }).toMatchObject({ status: 400, error: { message, param: Object.keys(fields)[0] } });
    expect(await api.countRows()).toEqual(before);
  });

  it('a balance that does not do is 402', async () => {
    const { key } = await api.createCaller({ balance: '0' });
    expect(await callSpeech(api, { key, input: 'land ahoy' }).error()).toMatchObject({ status: 402 });
  });
});

describe('a failure before the first byte', () => {
  it.each<[TaskFailureReason, number, string]>([
    ['content_policy', 400, 'invalid_request_error'],
    ['invalid_parameter', 400, 'invalid_request_error'],
    ['no_upstream', 503, 'server_error'],
    ['upstream_error', 502, 'bad_gateway'],
    ['outcome_unknown', 502, 'bad_gateway'],
    ['timeout', 502, 'bad_gateway'],
    ['internal_error', 500, 'server_error'],
  ])('%s is %i as JSON, with the task, which is refunded', async (reason, status, type) => {
    const call = speak({ input: reason });
    await (await met(reason)).fail(reason);
    const answer = await call.error();
    expect(answer).toMatchObject({
      status,
      error: { code: status, message: MESSAGES[reason], type, reason },
    });
    expect(await taskOf(answer.taskId)).toMatchObject(REFUNDED);
  });

  it('says what the upstream has to say', async () => {
    const call = speak({ input: 'in its words' });
    await (await met('in its words')).fail('content_policy', message('foreign', { text: 'No pirates, please.' }));
    expect(await call.error()).toMatchObject({ status: 400, error: { message: 'No pirates, please.' } });
  });

  it('another channel is tried under the same answer', async () => {
    const call = speak({ input: 'another channel' });
    const first = await met('another channel');
    first.delivery.end('goes_on');
    const { id } = first.task;
    await api.database.task.update({ where: { id }, data: { leaseUntil: null } });
    await api.queues.enqueueTask({ family: 'tts', taskId: id, fence: first.task.fence, distinct: 'again' });
    await worker.speak('another channel', Buffer.from('audio'));
    expect(await call.rest()).toEqual(Buffer.from('audio'));
  });

  it('a worker that falls silent is given up: 502, refunded at once', async () => {
    const call = speak({ input: 'silence' });
    const { delivery, refund } = await met('silence');
    delivery.breakOff();
    const answer = await call.error();
    expect(answer).toMatchObject({ status: 502, error: { message: MESSAGES.outcome_unknown } });
    expect(await taskOf(answer.taskId)).toMatchObject(REFUNDED);
    expect(await refund('internal_error')).toBe(false);
  });

  it('a task that was ended by somebody else is not waited for', async () => {
    const call = speak({ input: 'ended elsewhere' });
    const { refund } = await met('ended elsewhere');
    await refund('cancelled');
    const message = MESSAGES.cancelled;
    expect(await call.error()).toMatchObject({ status: 503, error: { message } });
  });
});

describe('a worker that does not find a caller who still waits', () => {
  it.each<TaskFailureReason>(['caller_left', 'internal_error'])(
    'and ends the task as %s: 503 with Retry-After, refunded',
    async (reason) => {
      const text = `not found, ${reason}`;
      const call = speak({ input: text });
      const { delivery, refund } = await met(text);
      await refund(reason);
      delivery.breakOff();
      const answer = await call.error();
      const error = { message: MESSAGES.service_unavailable, reason: 'service_unavailable' };
      expect(answer).toMatchObject({ status: 503, error });
      expect((await call.head).headers['retry-after']).toBe('5');
      expect(await taskOf(answer.taskId)).toMatchObject(REFUNDED);
    },
  );
});

describe('a speech that is cancelled by its id', () => {
  it('before a worker has it is refunded, and whoever waits for it is told', async () => {
    const waiting = await startTestApi();
    const { key } = await waiting.createCaller();
    const call = callSpeech(waiting, { key, input: 'no worker' });
    let task = await waiting.database.task.findFirst();
    while (task === null) task = await waiting.database.task.findFirst();
    const { status, body } = await waiting.post(`/v1/tasks/${task.id}/cancel`, '', { key });
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { error: { reason: 'cancelled' } } });
    expect(await call.error()).toMatchObject({ status: 503, error: { message: MESSAGES.cancelled_by_caller } });
    expect(await waiting.database.task.findUniqueOrThrow({ where: { id: task.id } })).toMatchObject(REFUNDED);
    await waiting.stop();
  });

  it('before its upstream is called is refunded as well, and whoever waits is told', async () => {
    const call = speak({ input: 'not called yet' });
    const { task, refund } = await met('not called yet');
    const { status, body } = await api.post(`/v1/tasks/${task.id}/cancel`, '', { key: caller.key });
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { error: { reason: 'cancelled' } } });
    expect(await call.error()).toMatchObject({ status: 503, error: { message: MESSAGES.cancelled_by_caller } });
    expect(await taskOf(task.id)).toMatchObject(REFUNDED);
    expect(await refund('internal_error')).toBe(false);
  });

  it('while its upstream is called, which is paid, goes on, and whoever cancels it is told so', async () => {
    const call = speak({ input: 'upstream is called' });
    const { task, delivery, settle } = await met('upstream is called');
    const attempt = { attemptState: 'starting', attemptId: `att_${task.id}` };
    await api.database.task.update({ where: { id: task.id }, data: attempt });
    const { status, body } = await api.post(`/v1/tasks/${task.id}/cancel`, '', { key: caller.key });
    expect([status, body.error.message]).toEqual([409, MESSAGES.task_has_started]);
    await delivery.send(Buffer.from('audio'));
    await delivery.finish();
    await settle();
    delivery.end('settled');
    expect(await call.rest()).toEqual(Buffer.from('audio'));
    expect(await taskOf(task.id)).toMatchObject({ status: 'completed', cancelRequestedAt: null });
  });
});

it('a speech that has begun goes on, and whoever cancels it is told that it cannot be stopped', async () => {
  const call = speak({ input: 'begun' });
  const { task, delivery, settle } = await met('begun');
  await delivery.send(Buffer.from('half of it'));
  await call.read(10);
  const attempt = { attemptState: 'starting', attemptId: `att_${task.id}` };
  await api.database.task.update({ where: { id: task.id }, data: attempt });
  const { status, body } = await api.post(`/v1/tasks/${task.id}/cancel`, '', { key: caller.key });
  expect([status, body.error.message]).toEqual([409, MESSAGES.task_has_started]);
  await delivery.finish();
  await settle();
  delivery.end('settled');
  expect((await call.rest()).length).toBe(0);
  expect(await taskOf(task.id)).toMatchObject({ status: 'completed', cancelRequestedAt: null });
});

describe('a failure after the first byte', () => {
  it.each(['the upstream broke', 'the worker is gone'])(
    '%s: the connection is cut, and the task refunded',
    async (text) => {
      const call = speak({ input: text });
      const { delivery, fail } = await met(text);
      await delivery.send(Buffer.from('half of it'));
      expect(await call.read(10)).toEqual(Buffer.from('half of it'));
      if (text === 'the upstream broke') await fail('outcome_unknown');
      else delivery.breakOff();
      await expect(call.rest()).rejects.toThrow('aborted');
      const { taskId } = await call.head;
      expect(await taskOf(taskId)).toMatchObject(REFUNDED);
    },
  );
});

describe('Idempotency-Key', () => {
  it('a repetition is 409 and costs nothing: the audio is not kept', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = speak({ input: 'once', headers });
    await worker.speak('once', Buffer.from('audio'));
    const { taskId } = await first.head;
    await first.rest();
    const before = await api.countRows();
    const again = await speak({ input: 'once', headers }).error();
    expect(again).toMatchObject({ status: 409, taskId, error: { message: expect.stringContaining('not kept') } });
    const other = await speak({ input: 'twice', headers }).error();
    expect(other).toMatchObject({ status: 409, taskId: '' });
    expect(await api.countRows()).toEqual(before);
  });
});

it('leaves every account right', async () => {
  const { body } = await api.get('/v1/user/balance', { key: caller.key });
  const completed = await api.database.task.findMany({
    where: { accountId: caller.accountId, status: 'completed' },
  });
  const cost = completed.reduce((sum, { costNano }) => sum + (costNano ?? 0n), 0n);
  expect(body).toMatchObject({
    used_balance: Number(cost) / 1e9,
    remain_balance: Number(1000_000_000_000n - cost) / 1e9,
  });
});
