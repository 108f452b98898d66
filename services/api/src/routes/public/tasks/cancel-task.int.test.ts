import { CANCELLED_BY_CALLER, createFinisher, taskError } from '@mediagate/billing';
import { type Family, nanoToNumber, type TaskId, timeOrderedId } from '@mediagate/contracts';
import { createCallbackTokens } from '@mediagate/tasks';
import { forAllTests, runSql, until } from '@mediagate/testkit';
import {
  ALLOWED_ORIGIN,
  type Answer,
  type Caller,
  FORMER_LINK_SECRET,
  LINK_SECRET,
  SMALL_IMAGE,
  smallImagePrice,
  startTestApi,
} from '../../../../test/test-api';

let caller: Caller;

const api = forAllTests(() => startTestApi({ times: { cancelWaitMs: 3000 } }));
beforeEach(async () => {
  caller = await api.createCaller({ balance: '1' });
});

async function submit(fields = {}): Promise<TaskId> {
  const { body } = await api.post('/v1/images/generations', { ...SMALL_IMAGE, ...fields }, { key: caller.key });
  return body.data[0].task_id;
}

const cancel = (id: string, key = caller.key) => api.post(`/v1/tasks/${id}/cancel`, '', { key });
const read = (id: TaskId) => api.database.task.findUniqueOrThrow({ where: { id } });
const change = (id: TaskId, data: object) => api.database.task.update({ where: { id }, data });

/** Sets the row as a worker leaves it once its upstream has accepted the job. */
async function accept(id: TaskId, protocol: string, attemptId = `att_${id}`): Promise<void> {
  await runSql(api.database, ACCEPT, [id, attemptId, protocol]);
}

const ACCEPT = `
with attempt as (
  insert into task_attempts (id, task_id, number, channel_id, protocol, state, external_id)
  values ($2, $1, 1, 'channel', $3, 'accepted', $2)
)
update tasks set status = 'processing', fence = 1, attempt_id = $2, attempt_state = 'accepted', channel_id = 'channel',
  attempts_made = 1, next_step_at = now() + interval '1 hour' where id = $1`;

describe('POST /v1/tasks/{id}/cancel', () => {
  it('200: a task that waits fails as cancelled, its money is released, and its callback is due', async () => {
    const id = await submit({ webhook: `${ALLOWED_ORIGIN}/hook` });
    const { status, body } = await cancel(id);
    expect(status).toBe(200);
    expect(body).toEqual({
      code: 200,
      data: expect.objectContaining({
        id,
        status: 'failed',
        progress: 100,
        cost: 0,
        reserved: 0,
        released: nanoToNumber(smallImagePrice()),
        error: {
          code: 'task_failed',
          type: 'task_failed',
          param: '',
          reason: 'cancelled',
          message: 'The task was canceled at the request of its account.',
        },
      }),
    });
    const account = await api.database.account.findUniqueOrThrow({ where: { id: caller.accountId } });
    expect(account).toMatchObject({ heldNano: 0n, settledNano: 0n });
    expect(await api.database.webhookDelivery.findMany({ where: { taskId: id } })).toMatchObject([
      { state: 'pending' },
    ]);
    const { released: _, ...record } = body.data;
    expect((await api.get(`/v1/tasks/${id}`, { key: caller.key })).body.data).toEqual(record);
  });

  it('200: again, in the language asked for, however often it is cancelled', async () => {
    const id = await submit();
    const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await api.post(`/v1/tasks/${id}/cancel?language=de`, '', { key: caller.key });
    expect(body.data.error.message).toBe('Die Aufgabe wurde auf Wunsch ihres Kontos abgebrochen.');
    expect(await api.database.ledgerEntry.count({ where: { taskId: id, kind: 'refund' } })).toBe(1);
  });

  it('200: a task that a worker has leased and not yet sent ends, and so does one between two attempts', async () => {
    const leased = await submit();
    await change(leased, { status: 'pending', fence: 1, leaseUntil: new Date(Date.now() + 60_000) });
    const between = await submit();
    await change(between, { status: 'pending', fence: 2, attemptsMade: 1, attemptId: 'att_0' });
    for (const id of [leased, between]) expect((await cancel(id)).status).toBe(200);
  });

  it('200: a task that awaits a slot of its key ends at once, and is enqueued by nobody', async () => {
    caller = await api.createCaller({ balance: '1', maxConcurrent: 1 });
    const [first, second] = [await submit(), await submit()];
    expect([await read(first), await read(second)]).toMatchObject([{ awaitsKeySlot: false }, { awaitsKeySlot: true }]);
    expect((await cancel(second)).status).toBe(200);
    const { queues } = api;
    expect(
      await queues.findMissing((await read(second)).family as Family, [{ taskId: second, fence: 0 }]),
    ).toHaveLength(1);
  });

  it('200: an accepted job is cancelled by its worker, which is notified at once', async () => {
    const id = await submit();
    await accept(id, 'dashscope-video');
    const cancelling = cancel(id);
    await untilDue(id);
    const error = taskError('cancelled', { message: CANCELLED_BY_CALLER });
    await createFinisher(api.database)({
      taskId: id,
      accountId: caller.accountId,
      fence: 1,
      outcome: { kind: 'failed', error },
    });
    expect(await cancelling).toMatchObject({ status: 200, body: { data: { released: expect.any(Number) } } });
  });

  it('409: when the upstream will not stop', async () => {
    const id = await submit();
    await accept(id, 'midjourney-proxy');
    const cancelling = cancel(id);
    await untilDue(id);
    await api.database.declineCancel({ id, fence: 1 });
    expectRefused(await cancelling, 'The work on the task has begun and cannot be stopped.');
  });

  it('409: at once, where nobody could stop the upstream; nothing is changed', async () => {
    const id = await submit();
    await accept(id, 'openai-images');
    const before = await read(id);
    expectRefused(await cancel(id), 'The work on the task has begun and cannot be stopped.');
    expect(await read(id)).toEqual(before);
  });

  it('409: when another task goes on with its work, which would be stopped with it', async () => {
    const id = await submit();
    await accept(id, 'midjourney-proxy');
    await change(await submit(), { parentTaskId: id });
    expectRefused(await cancel(id), 'The work on the task has begun and cannot be stopped.');
    expect(await read(id)).toMatchObject({ cancelRequestedAt: null });
  });

  it('409: when nobody has answered in time; the request stands', async () => {
    const id = await submit();
    await accept(id, 'dashscope-video');
    expectRefused(
      await cancel(id),
      'The cancellation was requested and may still take effect. Read the task to learn how it ends.',
    );
    const requested = await read(id);
    expect(requested).toMatchObject({ cancelRequestedAt: expect.any(Date), status: 'processing' });
    // The worker has read the request, and the vendor wants to be left alone until then.
    const later = { fence: 2, nextStepAt: new Date(Date.now() + 60_000) };
    await change(id, later);
    expect((await cancel(id)).status).toBe(409);
    expect(await read(id)).toEqual({ ...requested, ...later });
  });

  it('409: when the task has ended otherwise', async () => {
    const failed = await submit();
    const finish = createFinisher(api.database);
    await finish({
      taskId: failed,
      accountId: caller.accountId,
      fence: 'any',
      outcome: { kind: 'failed', error: taskError('timeout') },
    });
    const completed = await submit();
    const result = { images: [] };
    await finish({
      taskId: completed,
      accountId: caller.accountId,
      fence: 'any',
      outcome: { kind: 'completed', costNano: 1n, result },
    });
    for (const id of [failed, completed]) {
      expectRefused(await cancel(id), 'The task has ended and can no longer be canceled.');
    }
  });
});

describe('POST /v1/vendor-callbacks/{token}', () => {
  const tokens = createCallbackTokens([LINK_SECRET]);
  const tokenOf = (attemptId: string) => tokens.tokenOf(attemptId, 'a-channel');
  const call = (token: string, body: unknown = {}) => api.post(`/v1/vendor-callbacks/${token}`, body);

  async function acceptedTask(): Promise<{ id: TaskId; attemptId: string }> {
    const [id, attemptId] = [await submit(), `att_${timeOrderedId()}`];
    await accept(id, 'kling-video', attemptId);
    return { id, attemptId };
  }

  it('200: has the job checked now, whatever the body says, and changes nothing else', async () => {
    const jobs = await countJobs();
    const { id, attemptId } = await acceptedTask();
    // The submission's own.
    await untilJobs(jobs + 1);
    const before = await read(id);
    expect(await call(tokenOf(attemptId), { task_status: 'failed', status: 'completed' })).toMatchObject({
      status: 200,
      body: { code: 200 },
    });
    await untilDue(id);
    const { nextStepAt, hastenedAt } = await read(id);
    expect(hastenedAt).not.toBeNull();
    expect(await read(id)).toEqual({ ...before, nextStepAt, hastenedAt });
    await untilJobs(jobs + 2);
  });

  it('200: again within 5 seconds changes nothing, and counts once they are over', async () => {
    const { id, attemptId } = await acceptedTask();
    await call(tokenOf(attemptId));
    await untilDue(id);
    // The row as its worker leaves it: not done yet.
    const later = { nextStepAt: new Date(Date.now() + 3_600_000), fence: 2 };
    const checked = await change(id, later);
    const other = await acceptedTask();
    await call(tokenOf(attemptId));
    // One after the other: what the second changes is written after what the first would have.
    await call(tokenOf(other.attemptId));
    await untilDue(other.id);
    expect(await read(id)).toEqual(checked);
    await change(id, { hastenedAt: new Date(Date.now() - 6_000) });
    await call(tokenOf(attemptId));
    await untilDue(id);
  });

  it.each([
    ['an attempt that is over', { attemptId: `att_${timeOrderedId()}` }],
    ['an attempt whose start is not answered yet', { attemptState: 'starting' }],
    ['a task whose worker is at it', { leaseUntil: new Date(Date.now() + 60_000) }],
  ])('200: of %s changes nothing', async (_, state) => {
    const { id, attemptId } = await acceptedTask();
    const before = await change(id, state);
    const other = await acceptedTask();
    expect((await call(tokenOf(attemptId))).status).toBe(200);
    await call(tokenOf(other.attemptId));
    await untilDue(other.id);
    expect(await read(id)).toEqual(before);
  });

  it('200: at once, before a long body has come, of which nothing is read', async () => {
    const token = tokenOf(`att_${timeOrderedId()}`);
    expect((await call(token, Buffer.alloc(4 * 1024 * 1024, '{'))).status).toBe(200);
  });

  it('200: to a token that was signed before the secret changed', async () => {
    const { attemptId } = await acceptedTask();
    const token = createCallbackTokens([FORMER_LINK_SECRET]).tokenOf(attemptId, 'a-channel');
    expect((await call(token)).status).toBe(200);
  });

  it('401: a token that this deployment did not make', async () => {
    const { id, attemptId } = await acceptedTask();
    const before = await read(id);
    const signature = tokenOf(attemptId).split('.').slice(1).join('.');
    const foreign = createCallbackTokens(['another secret of some length']).tokenOf(attemptId, 'a-channel');
    const swapped = `att_${timeOrderedId()}.${signature}`;
    for (const token of [foreign, swapped, attemptId, `${attemptId}.`, 'x', `${tokenOf(attemptId)}A`]) {
      expect((await call(token)).status).toBe(401);
    }
    expect(await read(id)).toEqual(before);
  });
});

function expectRefused({ status, body }: Answer, message: string): void {
  expect([status, body.error]).toMatchObject([409, { message, reason: 'not_cancellable' }]);
}

async function countJobs(): Promise<number> {
  const ofFamily = (await api.queues.counts()).find(({ name }) => name === 'image');
  return ofFamily?.waiting ?? 0;
}

const untilJobs = (count: number) => until(async () => (await countJobs()) >= count, `${count} jobs`);

/** Its worker is to look at it now. */
const untilDue = (id: TaskId) => until(async () => (await read(id)).nextStepAt <= new Date(), `${id} is due`);
