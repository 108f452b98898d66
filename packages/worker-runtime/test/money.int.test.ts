import { createFinisher, taskError } from '@mediagate/billing';
import { NANO_PER_UNIT } from '@mediagate/contracts';
import { forAllTests, until } from '@mediagate/testkit';
import { openWorld } from './world/world';

const world = forAllTests(openWorld);
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

const reservation = (taskId: string) => world.database.reservation.findUniqueOrThrow({ where: { taskId } });

it('an image of four is kept, and with it each of the four', async () => {
  const label = world.label('grid');
  await world.upstream.instruct(label, { outputs: 1, grid: true, usage: { outputTokens: 7 } });
  await world.startWorker();
  const task = await world.ended(await world.submit(label));
  const { images } = task.result as { images: string[] };
  expect(images).toHaveLength(5);
  expect(new Set(images).size).toBe(5);
  expect(task).toMatchObject({ status: 'completed' });
  expect(await world.attempts(task.id as never)).toMatchObject([{ usage: { outputTokens: 7, images: 5 } }]);
});

it.each([
  ['as were asked for', { n: 2, outputs: 5, kept: 2 }],
  ['as any vendor makes, where no number was asked for', { n: 1, outputs: 40, kept: 32 }],
])('no more outputs are kept than so many %s', async (_, { n, outputs, kept }) => {
  const label = world.label('many');
  await world.upstream.instruct(label, { outputs, usage: { images: outputs } });
  await world.startWorker();
  const task = await world.ended(await world.submit(label, { n }));
  expect((task.result as { images: string[] }).images).toHaveLength(kept);
  expect(await world.database.mediaObject.count({ where: { taskId: task.id, purpose: 'result' } })).toBe(kept);
});

describe('what a task costs', () => {
  it('follows the outputs that exist, whatever the upstream says it made', async () => {
    const label = world.label('partial');
    await world.upstream.instruct(label, { outputs: 3, missing: 1, usage: { images: 3 } });
    await world.startWorker();
    const task = await world.ended(await world.submit(label, { n: 3 }));
    expect(task).toMatchObject({
      status: 'completed',
      costNano: 200n,
      result: { images: [expect.any(String), expect.any(String)] },
    });
    expect(await world.attempts(task.id as never)).toMatchObject([{ state: 'succeeded', usage: { images: 2 } }]);
    expect((await reservation(task.id)).units).toEqual({ image: String(2n * NANO_PER_UNIT) });
  });

  it.each([
    ['no output at all', { outputs: 0 }],
    ['only files that are something else', { outputs: 2, spoilt: true }],
  ])('is nothing when a success comes with %s', async (_, script) => {
    const label = world.label('empty');
    await world.upstream.instruct(label, { ...script, usage: { outputTokens: 7 } });
    await world.startWorker();
    const id = await world.submit(label);
    expect(await world.hastened(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { message: 'The result of the generation could not be retrieved.', reason: 'result_unavailable' },
    });
    expect(await reservation(id)).toMatchObject({ state: 'refunded' });
    expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', usage: { outputTokens: 7 } }]);
    expect(await world.accepted(label)).toBe(1);
  });

  it('is nothing for files of a kind that is no result of the family, none of which is fetched', async () => {
    const label = world.label('others');
    await world.upstream.instruct(label, { outputs: 2, role: 'audio' });
    await world.startWorker();
    const task = await world.ended(await world.submit(label, { n: 2 }));
    expect(task).toMatchObject({ status: 'failed', costNano: 0n, error: { reason: 'result_unavailable' } });
    expect(await reservation(task.id)).toMatchObject({ state: 'refunded' });
    expect(await world.attempts(task.id as never)).toMatchObject([
      { detail: 'no usable output: only audio was given' },
    ]);
  });

  it('is all of it for links that are ready long after the job was called done', async () => {
    const label = world.label('late');
    await world.upstream.instruct(label, { outputs: 2, lateFetches: 7 });
    await world.startWorker();
    const id = await world.submit(label, { n: 2 });
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 200n });
    expect(await world.accepted(label)).toBe(1);
  });

  it('is all of it for links that the vendor gives to the key of the channel alone', async () => {
    const label = world.label('keyed');
    await world.upstream.instruct(label, { keyed: true });
    await world.startWorker();
    expect(await world.ended(await world.submit(label))).toMatchObject({ status: 'completed', costNano: 100n });
  });

  it('is nothing for links that lead nowhere until the deadline', async () => {
    const label = world.label('nowhere');
    await world.upstream.instruct(label, { outputs: 1, missing: 1 });
    await world.startWorker();
    const id = await world.submit(label, { deadlineMs: 5000 });
    expect(await world.hastened(id)).toMatchObject({ status: 'failed', costNano: 0n, error: { reason: 'timeout' } });
    expect(await reservation(id)).toMatchObject({ state: 'refunded' });
  });

  it('is all of it for links of an answer to the start itself that are ready a little later', async () => {
    const label = world.label('answered');
    await world.upstream.instruct(label, { starts: ['answer'], outputs: 1, lateFetches: 1 });
    await world.startWorker();
    expect(await world.ended(await world.submit(label))).toMatchObject({ status: 'completed', costNano: 100n });
  });

  it('never exceeds the reservation: the rest is a loss on record, and an alarm', async () => {
    const label = world.label('overrun');
    await world.upstream.instruct(label, { usage: { outputTokens: 5000 } });
    const worker = await world.startWorker();
    const id = await world.submit(label);
    expect(await world.ended(id)).toMatchObject({ status: 'completed', reservedNano: 1100n, costNano: 1100n });
    expect(await world.database.overrun.findUnique({ where: { taskId: id } })).toMatchObject({
      amountNano: 4000n,
    });
    expect(worker.logged).toContainEqual(expect.objectContaining({ level: 'error', event: 'task.overrun' }));
  });

  it.each([
    ['negative', -5, 100n],
    ['broken', 12.5, 113n],
    ['a word', 'many', 100n],
    ['nothing', null, 100n],
    ['beyond all numbers', 1e300, 1100n],
  ])('is reckoned from counts, so a figure that is %s does no harm', async (_, outputTokens, costNano) => {
    const label = world.label('figure');
    await world.upstream.instruct(label, { usage: { outputTokens } });
    const worker = await world.startWorker();
    expect(await world.ended(await world.submit(label))).toMatchObject({ status: 'completed', costNano });
    expect(worker.logged.filter(({ event }) => event === 'task.step_failed')).toEqual([]);
  });
});

describe('what a vendor charges', () => {
  const startDeclared = (costs: object) =>
    world.startWorker({ channels: [world.channel('never', { protocol: 'never', costs })] });

  it('goes by what it made, also where the caller does not pay for all of it', async () => {
    const label = world.label('declared');
    await world.upstream.instruct(label, { outputs: 3, missing: 1, usage: { outputTokens: 5 } });
    await startDeclared({ units: { image: 40, token_output: 2_000_000 } });
    const task = await world.ended(await world.submit(label, { n: 3 }));
    expect(await world.attempts(task.id as never)).toMatchObject([{ costNano: 130n, costOrigin: 'declared' }]);
    expect(await reservation(task.id)).toMatchObject({ costNano: 130n, channelId: 'never', state: 'settled' });
  });

  it('goes by its own word, at the price of its credits, for a result that nobody can use as well', async () => {
    const label = world.label('reported');
    await world.upstream.instruct(label, { outputs: 1, spoilt: true, credits: '1.5' });
    await startDeclared({ units: { image: 40, token_output: 0 }, credit: 5 });
    const id = await world.submit(label);
    expect(await world.hastened(id)).toMatchObject({ status: 'failed', costNano: 0n });
    expect(await world.attempts(id)).toMatchObject([{ costNano: 8n, costOrigin: 'reported' }]);
    expect(await reservation(id)).toMatchObject({ costNano: 8n, state: 'refunded' });
  });

  it('is kept of a job that failed, whose caller is refunded in full', async () => {
    const label = world.label('failed');
    await world.upstream.instruct(label, { checks: ['failed'], credits: '1.5' });
    await startDeclared({ units: { image: 40, token_output: 0 }, credit: 5 });
    const id = await world.submit(label);
    expect(await world.ended(id)).toMatchObject({ status: 'failed', costNano: 0n });
    expect(await world.attempts(id)).toMatchObject([{ state: 'refused', costNano: 8n, costOrigin: 'reported' }]);
    expect(await reservation(id)).toMatchObject({ costNano: 8n, state: 'refunded' });
  });

  it('is kept of each job that led to no result before another made one', async () => {
    const label = world.label('again');
    await world.upstream.instruct(label, { checks: ['not_started', 'done'], credits: '2', outputs: 1 });
    await startDeclared({ units: { image: 40, token_output: 0 }, credit: 5 });
    const id = await world.submit(label);
    expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
    expect(await world.attempts(id)).toMatchObject([
      { state: 'refused', costNano: 10n, costOrigin: 'reported' },
      { state: 'succeeded', costNano: 10n, costOrigin: 'reported' },
    ]);
    expect(await reservation(id)).toMatchObject({ costNano: 20n, state: 'settled' });
  });
});

describe('a deadline that passes in the middle of a call', () => {
  it('fails the task with a timeout and a refund, and quarantines the attempt', async () => {
    const label = world.label('timeout');
    await world.upstream.instruct(label, { starts: ['accept and hold'] });
    const worker = await world.startWorker();
    const id = await world.submit(label, { deadlineMs: 5000 });
    expect(await world.ended(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { message: 'Task timeout', type: 'task_failed', param: '', code: 'task_failed', reason: 'timeout' },
    });
    expect(await reservation(id)).toMatchObject({ state: 'refunded' });
    await until(async () => worker.logged.some(({ event }) => event === 'task.attempted'), 'the step is over');
    expect(await world.attempts(id)).toMatchObject([{ state: 'unknown' }]);
    expect(await world.accepted(label)).toBe(1);
    await world.upstream.release();
  });

  it('fails a task that waits, too, and its job is asked for no more', async () => {
    const label = world.label('waits');
    await world.upstream.instruct(label, { checks: ['running'] });
    await world.startWorker();
    const id = await world.submit(label, { deadlineMs: 5000 });
    expect(await world.ended(id)).toMatchObject({ status: 'failed', error: { message: 'Task timeout' } });
    expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', externalId: expect.any(String) }]);
  });
});

describe('a result that comes after the task has ended', () => {
  it('is recorded on the attempt, never billed and never delivered', async () => {
    const label = world.label('late');
    await world.upstream.instruct(label, { checks: ['hold'], usage: { outputTokens: 3 } });
    const costs = { units: { image: 40, token_output: 2_000_000 } };
    const channels = [world.channel('never', { protocol: 'never', costs })];
    const worker = await world.startWorker({ leaseMs: 20_000, channels });
    const id = await world.submit(label);
    await until(async () => (await world.journalOf(label)).some(({ event }) => event === 'checked'), 'it is asked for');
    const outcome = { kind: 'failed', error: taskError('cancelled') } as const;
    expect(
      await createFinisher(world.database)({
        taskId: id,
        accountId: (await world.task(id)).accountId,
        fence: 'any',
        outcome,
      }),
    ).toMatchObject({ won: true });
    const canceled = await world.task(id);

    await world.upstream.release();
    await until(
      async () => worker.logged.filter(({ event }) => event === 'task.attempted').length > 1,
      'the step is over',
    );
    expect(await world.task(id)).toEqual(canceled);
    expect(await reservation(id)).toMatchObject({ state: 'refunded', costNano: 46n });
    expect(await world.attempts(id)).toMatchObject([
      {
        state: 'unknown',
        costNano: 46n,
        usage: { outputTokens: 3, images: 1 },
        detail: expect.stringContaining('late: a result came after the task had ended'),
      },
    ]);
  });
});
