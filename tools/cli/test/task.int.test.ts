import { audit, createFinisher, readAccountBalance, taskError } from '@mediagate/billing';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import { claimTask } from '@mediagate/tasks';
import { forAllTests } from '@mediagate/testkit';
import { acceptedTask, fundedKey, openWorld, runIn, USER, units } from './world';

const world = forAllTests(openWorld);
const payer = forAllTests(() => fundedKey(world.database));
afterEach(async () => {
  expect(await audit(world.database)).toEqual([]);
});

/** Claims the task and hands it to an upstream, as a worker does. */
async function giveToUpstream(id: TaskId): Promise<void> {
  const outcome = await claimTask(world.database, id, 20_000);
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
  const attempt = { attemptId: `att_${id}`, channelId: 'images-main', protocol: 'openai-images' };
  await world.database.beginAttempt(outcome.task, attempt);
  await world.database.saveOperation(outcome.task, {
    attemptId: attempt.attemptId,
    externalId: `job-${id}`,
    operation: { job: 1 },
    requestIds: ['req-1'],
    nextStepInMs: 3_600_000,
  });
}

const complete = (taskId: TaskId) =>
  createFinisher(world.database)({
    taskId,
    accountId: payer.accountId,
    fence: 'any',
    outcome: { kind: 'completed', costNano: units(2), result: { images: [] }, usage: { output_tokens: 9 } },
  });

describe('task show', () => {
  it('shows the record with its reservation, ledger and attempts', async () => {
    const id = await acceptedTask(world.database, payer);
    await giveToUpstream(id);
    await complete(id);
    const time = expect.any(Number);
    const entry = {
      id: expect.any(String),
      created: time,
      balance_after: expect.any(Number),
      task_id: id,
      key_id: payer.keyId,
    };
    expect(await world.json('task', 'show', id)).toEqual({
      id,
      status: 'completed',
      progress: 100,
      created: expect.any(Number),
      completed: expect.any(Number),
      actual_time: expect.any(Number),
      cost: 2,
      credits_cost: 20,
      model: 'imagegen-2.5-flare',
      kind: 'image',
      usage: { output_tokens: 9 },
      reserved: 0,
      account_id: payer.accountId,
      key_id: payer.keyId,
      family: 'image',
      failed_steps: 0,
      next_step_at: time,
      lease_until: null,
      deadline_at: time,
      reservation: { state: 'settled', amount: 3, settled: 2, expires_at: time, resolved_at: time },
      ledger: [
        { ...entry, kind: 'hold', amount: 3, change: -3 },
        { ...entry, kind: 'settle', amount: 2, change: 1 },
      ],
      attempts: [
        {
          id: `att_${id}`,
          number: 1,
          channel: 'images-main',
          protocol: 'openai-images',
          cost: null,
          cost_origin: null,
          state: 'unknown',
          external_id: `job-${id}`,
          fault: null,
          detail: 'the task ended first',
          request_ids: ['req-1'],
          usage: null,
          answer: null,
          resolution: null,
          started_at: time,
          ended_at: time,
        },
      ],
      request_id: 'req_test',
      delivery: null,
      timeline: [
        { at: time, event: 'task.submitted' },
        { at: time, event: 'ledger.hold', amount: 3 },
        { at: time, event: 'task.started' },
        { at: time, event: 'attempt.began', channel: 'images-main', number: 1 },
        { at: time, event: 'attempt.ended', channel: 'images-main', number: 1, outcome: 'unknown' },
        { at: time, event: 'task.completed' },
        { at: time, event: 'ledger.settle', amount: 2 },
      ],
    });
    // The task's result belongs to its account: the audit log notes who looks at it.
    expect(await world.json('task', 'result', id, '--reason', 'ticket 17')).toEqual({ id, result: { images: [] } });
    expect(await world.notes(id)).toMatchObject([
      { actor: `cli:${USER}`, action: 'task.show_result', detail: { reason: 'ticket 17' } },
    ]);
    expect((await world.run('task', 'result', newTaskId())).code).toBe(1);
  });

  it('finds tasks by what a support case has', async () => {
    const requestId = 'case-4711';
    const id = await acceptedTask(world.database, payer, { requestId, metadata: { order: '17' } });
    const found = async (...words: string[]) =>
      (await world.json('task', 'list', ...words)).data.map((task: { id: string }) => task.id);
    expect(await found('--request-id', requestId)).toEqual([id]);
    expect(await found('--id', id.slice(0, 24))).toContain(id);
    expect(await found('--account', payer.accountId, '--metadata', 'order=17')).toEqual([id]);
    expect((await world.run('task', 'list', '--request-id', requestId)).out).toContain(id);
    await world.json('task', 'fail', id);
    expect((await world.run('task', 'list', '--request-id', requestId)).out).toMatch(/ REASON\n.* cancelled\n/);
    const orphan = await world.run('task', 'list', '--metadata', 'order=17');
    expect(orphan).toMatchObject({ code: 2, err: expect.stringContaining("'--account <id>'") });
  });

  it('shows a task nobody has begun, and never what the caller asked for', async () => {
    const id = await acceptedTask(world.database, payer);
    const shown = await world.json('task', 'show', id);
    expect(shown).toMatchObject({ status: 'submitted', reservation: { state: 'held', settled: null }, attempts: [] });
    expect(shown.ledger).toHaveLength(1);
    const { out } = await world.run('task', 'show', id);
    expect(out).toContain('held 3');
    expect(out).not.toContain('lighthouse');
  });

  it('shows people why a task failed', async () => {
    const id = await acceptedTask(world.database, payer);
    await createFinisher(world.database)({
      taskId: id,
      accountId: payer.accountId,
      fence: 'any',
      outcome: { kind: 'failed', error: taskError('upstream_error') },
    });
    const { out } = await world.run('task', 'show', id);
    expect(out).toMatch(/^error +The model could not complete the generation\.$/m);
    expect(out).toMatch(/^refund +3 /m);
  });

  it('says when there is no such task, and does not understand what cannot be one', async () => {
    const id = newTaskId();
    expect(await world.run('task', 'show', id)).toEqual({
      code: 1,
      out: '',
      err: `mediagate: ${id}: Task not found.\n`,
    });
    expect(await world.run('task', 'show', 'task_1')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining("'id'"),
    });
  });
});

describe('task cancel', () => {
  it('cancels a task that waits, with a refund, which it claims once', async () => {
    const id = await acceptedTask(world.database, payer);
    const cancelled = { id, status: 'failed', released: 3 };
    expect(await world.json('task', 'cancel', id)).toEqual(cancelled);
    expect(await world.run('task', 'cancel', id)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('has ended (failed)'),
    });
    expect(await world.json('task', 'show', id)).toMatchObject({ error: { reason: 'cancelled' } });
    const note = { actor: `cli:${USER}`, action: 'task.cancel', detail: { outcome: 'done' } };
    expect(await world.notes(id)).toEqual([note]);
  });

  it('refuses what an upstream cannot stop, and what has ended', async () => {
    const id = await acceptedTask(world.database, payer);
    await giveToUpstream(id);
    expect(await world.run('task', 'cancel', id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be stopped'),
    });
    await complete(id);
    expect(await world.run('task', 'cancel', id)).toMatchObject({ code: 1, err: expect.stringContaining('has ended') });
    const unknown = newTaskId();
    expect(await world.run('task', 'cancel', unknown)).toMatchObject({
      code: 1,
      err: `mediagate: there is no task ${unknown}\n`,
    });
  });
});

describe('task fail', () => {
  it('ends a task at an upstream with a refund, notes the reason and enqueues its callback', async () => {
    const id = await acceptedTask(world.database, payer, { webhook: 'https://example.com/hook' });
    await giveToUpstream(id);
    const before = await readAccountBalance(world.database, payer.accountId);
    const enqueued = new Promise<string>((resolve) => {
      world.queues.consumeDeliveries(async ({ deliveryId }) => resolve(deliveryId), { concurrency: 1 });
    });
    const failed = await world.json('task', 'fail', id, '--reason', 'asked for by mail');
    expect(failed).toMatchObject({ id, status: 'failed', reservation: { amount: 3, state: 'refunded' } });
    expect(failed.delivery.id).toBe(await enqueued);
    const after = await readAccountBalance(world.database, payer.accountId);
    expect((after?.remainNano ?? 0n) - (before?.remainNano ?? 0n)).toBe(units(3));
    expect(await world.json('task', 'show', id)).toMatchObject({
      error: {
        message: 'The task was canceled by the operator.',
        type: 'task_failed',
        code: 'task_failed',
        reason: 'cancelled',
      },
      reservation: { state: 'refunded' },
      attempts: [{ state: 'unknown' }],
    });
    expect(await world.notes(id)).toEqual([
      {
        actor: `cli:${USER}`,
        action: 'task.fail',
        detail: {
          reason: 'asked for by mail',
          before: { status: 'pending' },
          after: expect.objectContaining({ refunded_nano: '3000000000' }),
        },
      },
    ]);
  });

  it('is done without a callback to enqueue, and without Redis, which it says', async () => {
    const quiet = await acceptedTask(world.database, payer);
    expect(await world.json('task', 'fail', quiet)).toMatchObject({ delivery: null });
    for (const redisUrl of [undefined, 'redis://127.0.0.1:1']) {
      const id = await acceptedTask(world.database, payer, { webhook: 'https://example.com/hook' });
      const ran = await runIn({ ...world.env, REDIS_URL: redisUrl }, 'task', 'fail', id, '--json');
      expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('the reconciler goes on with it') });
      expect(JSON.parse(ran.out)).toMatchObject({ status: 'failed' });
    }
  });
});

describe('task retry', () => {
  it('makes a waiting task due and enqueues it for its family', async () => {
    const id = await acceptedTask(world.database, payer);
    await giveToUpstream(id);
    const enqueued = new Promise<string>((resolve) => {
      world.queues.consumeTasks('image', async ({ taskId }) => void resolve(taskId), { concurrency: 1 });
    });
    expect(await world.json('task', 'retry', id)).toMatchObject({ id, status: 'pending', lease_until: null });
    expect(await enqueued).toBe(id);
    expect(await claimTask(world.database, id, 20_000)).toMatchObject({ kind: 'claimed' });
    expect(await world.notes(id)).toMatchObject([{ actor: `cli:${USER}`, action: 'task.retry' }]);
  });

  it('says how long a worker still holds it', async () => {
    const id = await acceptedTask(world.database, payer);
    await claimTask(world.database, id, 20_000);
    const { code, out } = await world.run('task', 'retry', id);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/a worker has leased it until 20\d\d-/),
    });
  });

  it('says of a task that has ended, is overdue, is answered while its caller waits or is not there that it is so', async () => {
    const ended = await acceptedTask(world.database, payer);
    await complete(ended);
    const overdue = await acceptedTask(world.database, payer, { deadlineMs: 0 });
    const answered = await acceptedTask(world.database, payer, { runsHere: { leaseMs: 600_000 } });
    const ids = [ended, overdue, answered, newTaskId()];
    const sentences = ids.map(async (id) => (await world.run('task', 'retry', id)).err);
    expect(await Promise.all(sentences)).toEqual([
      `mediagate: ${ended}: This has already ended (completed) and can no longer be changed.\n`,
      `mediagate: ${overdue}: The task cannot be retried: its deadline has passed.\n`,
      `mediagate: ${answered}: The task cannot be retried: it is answered while its caller waits.\n`,
      expect.stringContaining('Task not found.'),
    ]);
  });
});

describe('queue list', () => {
  const imageQueue = ({ families }: { families: { family: string }[] }) =>
    families.find(({ family }) => family === 'image');

  it('shows what waits and what runs, by family, and callbacks', async () => {
    const before = imageQueue(await world.json('queue', 'list'));
    const [, running] = [await acceptedTask(world.database, payer), await acceptedTask(world.database, payer)];
    await giveToUpstream(running);
    const { waiting, running: ran } = before as unknown as { waiting: number; running: number };
    expect(imageQueue(await world.json('queue', 'list'))).toMatchObject({
      waiting: waiting + 1,
      running: ran + 1,
      jobs: { active: 0, paused: false },
    });
    const { out } = await world.run('queue', 'list');
    expect(out).toMatch(new RegExp(`^image +${waiting + 1} +${ran + 1} `, 'm'));
    expect(out).toMatch(/^callbacks +\d/m);
  });

  it('shows the rows where Redis does not answer, and says so', async () => {
    const { code, out, err } = await runIn(
      { ...world.env, REDIS_URL: 'redis://127.0.0.1:1' },
      'queue',
      'list',
      '--json',
    );
    expect({ code, err }).toEqual({ code: 0, err: 'mediagate: Redis does not answer: only the rows are known\n' });
    expect(JSON.parse(out)).toMatchObject({ redis_answers: false, callbacks: { jobs: null } });
  });
});
