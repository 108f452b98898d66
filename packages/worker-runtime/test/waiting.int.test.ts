import { newTaskId } from '@mediagate/contracts';
import { createCallbackTokens } from '@mediagate/tasks';
import { forAllTests, runSql, until } from '@mediagate/testkit';
import { openWorld } from './world/world';

const world = forAllTests(openWorld);
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

describe('a task that waits for its upstream', () => {
  it('holds no slot: one slot keeps 50 jobs under way at once, and all complete', async () => {
    await world.upstream.instruct('never', { checks: ['running'] });
    const labels = Array.from({ length: 50 }, () => world.label('waiting'));
    const tasks = await Promise.all(labels.map((label) => world.submit(label)));
    await world.startWorker({ concurrency: 1 });
    const underWay = async () => (await world.upstream.journal()).filter(({ event }) => event === 'accepted').length;
    await until(async () => (await underWay()) === 50, '50 jobs are under way');
    expect(await world.database.task.count({ where: { completedAt: { not: null } } })).toBe(0);

    await world.upstream.instruct('never', {});
    for (const id of tasks) expect(await world.ended(id)).toMatchObject({ status: 'completed', costNano: 100n });
    expect(await underWay()).toBe(50);
  });

  it('is never failed by questions that go wrong, however many in a row', async () => {
    const label = world.label('asked');
    const troubles = [{ status: 500 }, 'drop', 'garble', { status: 401 }, { status: 503 }, { status: 429 }] as const;
    await world.upstream.instruct(label, { checks: [...troubles, ...troubles, 'running', 'done'] });
    await world.startWorker();
    const id = await world.submit(label);
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n, failedSteps: 0 });
    expect(await world.accepted(label)).toBe(1);
  });

  it.each([
    ['failed', 'generation_failed', 'upstream_error', 'The model could not complete the generation.'],
    ['blocked', 'content_policy', 'content_policy', 'The request was rejected by the content policy of the model.'],
  ] as const)('is ended by the upstream’s own word that it %s', async (answer, fault, reason, message) => {
    const label = world.label(answer);
    await world.upstream.instruct(label, { checks: ['running', answer] });
    await world.startWorker();
    const id = await world.submit(label);
    expect(await world.ended(id)).toMatchObject({ status: 'failed', costNano: 0n, error: { reason, message } });
    expect(await world.attempts(id)).toMatchObject([{ state: 'refused', fault }]);
  });

  it('has told it where to call back about the attempt, and about no other', async () => {
    const label = world.label('told');
    await world.upstream.instruct(label, { starts: [{ status: 503 }, 'accept'] });
    await world.startWorker();
    const id = await world.submit(label);
    expect(await world.ended(id)).toMatchObject({ status: 'completed' });
    const { attemptOf } = createCallbackTokens(['a-secret-of-some-length']);
    const told = (await world.journalOf(label)).flatMap(({ callbackUrl }) => callbackUrl ?? []);
    const [path, tokens] = [
      'https://gateway.example/v1/vendor-callbacks/',
      told.map((url) => url.split('/').at(-1) ?? ''),
    ];
    expect(told.every((url) => url.startsWith(path))).toBe(true);
    expect(tokens.map((token) => attemptOf(token)?.attemptId)).toEqual(
      (await world.attempts(id)).map((attempt) => attempt.id),
    );
  });

  it('shows its phase and a whole number of percent, whatever the upstream counts in', async () => {
    const label = world.label('progress');
    await world.upstream.instruct(label, { checks: ['queued', 'running'] });
    await world.startWorker();
    const id = await world.submit(label);
    const seen = await until(async () => {
      const task = await world.task(id);
      return task.status === 'processing' && task;
    }, 'the task is processing');
    expect(seen.progress).toBe(33);
    await world.upstream.instruct(label, {});
    await world.ended(id);
  });

  it('is left alone by a worker that has no key of its channel, now or not yet', async () => {
    const label = world.label('rollout');
    await world.upstream.instruct(label, { checks: ['running'] });
    const channels = [world.channel('new')];
    const id = await world.submit(label);
    const early = await world.startWorker({ channels });
    await until(async () => (await world.task(id)).attemptState === 'accepted', 'the job is accepted');
    await world.closeWorkers();

    const behind = await world.startWorker({ channels: [], lacksOldKeys: true });
    const stepsInVain = async () => {
      await world.hasten(id);
      return (await world.task(id)).failedSteps;
    };
    await until(async () => (await stepsInVain()) > 8, 'the worker without the key had it often');
    await world.closeWorkers();
    await world.upstream.instruct(label, {});
    await world.startWorker({ channels });
    expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
    expect(await world.accepted(label)).toBe(1);
    expect([...early.logged, ...behind.logged].filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a job of the queue', () => {
  it('that is delivered several times at once runs once', async () => {
    await Promise.all([world.startWorker(), world.startWorker()]);
    const label = world.label('doubled');
    await world.upstream.instruct(label, { starts: ['accept and hold'] });
    const id = await world.submit(label, { enqueue: false });
    const jobs = Array.from({ length: 20 }, (_, index) => `twin-${index}`);
    await Promise.all(
      jobs.map((distinct) => world.queues.enqueueTask({ family: 'tts', taskId: id, fence: 0, distinct })),
    );
    await until(async () => (await world.accepted(label)) > 0, 'the upstream has it');
    await world.upstream.release();
    expect(await world.ended(id)).toMatchObject({ status: 'completed' });
    expect(await world.accepted(label)).toBe(1);
    expect(await world.attempts(id)).toHaveLength(1);
  });

  it('that names no task, or one that has ended, is dropped', async () => {
    const worker = await world.startWorker({ concurrency: 1 });
    const [ended] = [await world.submit(world.label('ended'))];
    const before = await world.ended(ended);
    await world.queues.enqueueTask({ family: 'tts', taskId: newTaskId(), fence: 0 });
    await world.queues.enqueueTask({ family: 'tts', taskId: 'task_of_nobody' as never, fence: 0 });
    await world.queues.enqueueTask({ family: 'tts', taskId: ended, fence: 0, distinct: 'again' });
    // One slot takes jobs in their order, so these three are over when the next task has ended.
    await world.ended(await world.submit(world.label('next')));
    expect(await world.task(ended)).toEqual(before);
    expect(worker.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a call that takes longer than the lease', () => {
  it('keeps its claim, and nobody else starts the task', async () => {
    await Promise.all([world.startWorker({ leaseMs: 8000 }), world.startWorker({ leaseMs: 8000 })]);
    const label = world.label('long');
    await world.upstream.instruct(label, { starts: ['accept and hold'] });
    const id = await world.submit(label);
    const claimed = await until(async () => (await world.task(id)).leaseUntil ?? undefined, 'it is claimed');
    const later = new Date(claimed.getTime() + 8000);
    await until(async () => ((await world.task(id)).leaseUntil ?? 0) > later, 'a lease went by');
    expect(await world.task(id)).toMatchObject({ fence: 1, attemptsMade: 1 });
    await world.upstream.release();
    expect(await world.ended(id)).toMatchObject({ status: 'completed' });
    expect(await world.accepted(label)).toBe(1);
  });
});

describe('a task of a model that only a newer release has', () => {
  it('is left by older workers as often as they meet it, and runs at the first newer one', async () => {
    const label = world.label('newer-model');
    const older = await world.startWorker({
      wrap: (deps) => ({ ...deps, catalogue: { find: () => undefined, entries: [] } }),
    });
    const times = () => older.logged.filter(({ event }) => event === 'task.left').length;
    const id = await world.submit(label);
    // More often than steps may end with their worker.
    await until(async () => {
      if (times() > 12) return true;
      await world.hasten(id);
      return false;
    }, 'the older worker has met it often');
    const { createdAt, nextStepAt, ...left } = await until(async () => {
      const task = await world.task(id);
      return task.leaseUntil === null && task;
    }, 'its last claim is given back');
    expect(left).toMatchObject({ lostSteps: 0, failedSteps: 0, attemptsMade: 0, completedAt: null });
    expect(nextStepAt.getTime()).toBeGreaterThan(createdAt.getTime() + 500);
    expect(older.logged.filter(({ level }) => level === 'error')).toEqual([]);

    await world.startWorker();
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n, lostSteps: 0 });
    expect(await world.accepted(label)).toBe(1);
  });
});

describe('a job that comes seconds before its time, by a clock that is fast', () => {
  it('is put off until then, without another look for lost jobs', async () => {
    const id = await world.submit(world.label('early'), { enqueue: false });
    const { deps } = await world.startWorker();
    const enqueued = jest.spyOn(deps.queue, 'enqueueTask');
    await runSql(
      world.database,
      `update tasks set woken_at = now(), next_step_at = now() + interval '60 seconds' where id = $1`,
      [id],
    );
    await world.queues.enqueueTask({ family: 'tts', taskId: id, fence: 0 });
    // This job is of a step that was taken long ago: nothing follows from it.
    await world.queues.enqueueTask({ family: 'tts', taskId: id, fence: 7 });
    const putOff = () => enqueued.mock.calls.flatMap(([task]) => (task.fence === 0 ? [task.delayMs ?? 0] : []));
    await until(() => putOff().length > 0, 'it is put off');
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', lostSteps: 0 });
    const delays = putOff();
    // The reconciler may have enqueued it, too, before its time was set: both jobs are put off as one.
    expect([1, 2]).toContain(delays.length);
    expect(Math.min(...delays)).toBeGreaterThan(250);
    expect(Math.max(...delays)).toBeLessThanOrEqual(60_000);
  });
});
