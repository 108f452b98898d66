import { forAllTests } from '@mediagate/testkit';
import { openWorld } from './world/world';

const world = forAllTests(openWorld);
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

/** A pair of channels of the test's own: the first is tried before the second. */
function twoChannels() {
  const [first, second] = [world.label('first'), world.label('second')];
  return { first, second, channels: [world.channel(first), world.channel(second, { priority: 2 })] };
}

describe('a channel that turns a task away', () => {
  it.each([
    ['refuses to serve', 503, 'not_accepted'],
    ['fails', 500, 'upstream_fault'],
    ['does not know our key', 401, 'operator'],
    ['has had enough for now', 429, 'rate_limited'],
  ])('because it %s: the next one does it, under the same task and reservation', async (_, status, fault) => {
    const { first, second, channels } = twoChannels();
    await world.upstream.instruct(first, { starts: [{ status }] });
    await world.startWorker({ channels });
    const label = world.label();
    const id = await world.submit(label);
    expect(await world.ended(id)).toMatchObject({ status: 'completed', costNano: 100n, attemptsMade: 2 });
    expect(await world.attempts(id)).toMatchObject([
      { number: 1, channelId: first, state: 'refused', fault, detail: `status ${status}` },
      { number: 2, channelId: second, state: 'succeeded', fault: null },
    ]);
    expect(await world.database.ledgerEntry.findMany({ where: { taskId: id } })).toMatchObject([
      { kind: 'hold', amountNano: 1100n },
      { kind: 'settle', amountNano: 100n },
    ]);
  });

  it('because it is busy, while the next one has no such operation: the first is asked again, the other never', async () => {
    const { first, second, channels } = twoChannels();
    await world.upstream.instruct(first, { starts: [{ status: 429, retryAfterSeconds: 0.1 }, 'accept'] });
    await world.upstream.instruct(second, { starts: [{ status: 501 }] });
    await world.startWorker({ channels });
    const id = await world.submit(world.label());
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', failedSteps: 0 });
    expect((await world.attempts(id)).map(({ channelId, state }) => [channelId, state])).toEqual([
      [first, 'refused'],
      [second, 'refused'],
      [first, 'succeeded'],
    ]);
  });

  it('because none has such an operation: the task ends, and says so', async () => {
    const { first, second, channels } = twoChannels();
    for (const channel of [first, second]) await world.upstream.instruct(channel, { starts: [{ status: 501 }] });
    await world.startWorker({ channels });
    const id = await world.submit(world.label());
    expect(await world.ended(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      attemptsMade: 2,
      error: { message: 'The model has no such operation.', reason: 'invalid_parameter' },
    });
  });

  it('after its first stage, before anything is paid: that attempt is over, and the next one does it', async () => {
    const { first, second, channels } = twoChannels();
    await world.startWorker({ channels });
    const label = world.label('staged');
    await world.upstream.instruct(label, { checks: ['running', 'not_started', 'running', 'done'] });
    const id = await world.submit(label);
    expect(await world.ended(id)).toMatchObject({ status: 'completed', costNano: 100n, attemptsMade: 2 });
    expect(await world.attempts(id)).toMatchObject([
      { number: 1, channelId: first, state: 'refused', fault: 'operator', detail: 'no money for the next stage' },
      { number: 2, channelId: second, state: 'succeeded', fault: null },
    ]);
    expect((await world.attempts(id)).map(({ endedAt }) => endedAt)).toEqual([expect.any(Date), expect.any(Date)]);
    expect(await world.database.ledgerEntry.findMany({ where: { taskId: id } })).toMatchObject([
      { kind: 'hold', amountNano: 1100n },
      { kind: 'settle', amountNano: 100n },
    ]);
  });

  it('after its first stage, with no other channel: it is begun anew there, and given up in the end', async () => {
    await world.startWorker();
    const label = world.label('staged');
    await world.upstream.instruct(label, { checks: ['not_started'] });
    const id = await world.submit(label);
    expect(await world.hastened(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { message: 'No available upstream. Please try again later.', reason: 'no_upstream' },
    });
    const attempts = await world.attempts(id);
    expect(attempts.map(({ state }) => state)).toEqual(Array(6).fill('refused'));
  });

  it('for good, after its vendor was paid: the next one does it, and without one it ends at once, with a refund', async () => {
    const { first, second, channels } = twoChannels();
    const { logged } = await world.startWorker({ channels });
    const [moved, label] = [world.label('misplaced'), world.label('misplaced')];
    await world.upstream.instruct(moved, { checks: ['misplaced', 'done'] });
    const id = await world.submit(moved);
    expect(await world.ended(id)).toMatchObject({ status: 'completed', costNano: 100n, attemptsMade: 2 });
    expect(await world.attempts(id)).toMatchObject([
      { channelId: first, state: 'refused', fault: 'operator', costNano: null },
      { channelId: second, state: 'succeeded' },
    ]);
    await world.upstream.instruct(label, { checks: ['misplaced'] });
    const failed = await world.submit(label);
    expect(await world.ended(failed)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { reason: 'no_upstream' },
    });
    expect(await world.attempts(failed)).toMatchObject([{ channelId: first }, { channelId: second }]);
    const reported = logged.filter(({ event }) => event === 'channel.mistaken');
    expect(reported.map(({ fields }) => fields['channelId'])).toEqual([first, second]);
  });

  it('never, but answers where its channel does not look: nobody else is paid for it, and operators are told', async () => {
    const { first, channels } = twoChannels();
    await world.upstream.instruct(first, { starts: ['answer elsewhere'] });
    const { logged } = await world.startWorker({ channels });
    const id = await world.submit(world.label());
    expect(await world.ended(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { reason: 'outcome_unknown' },
    });
    expect((await world.attempts(id)).map(({ channelId }) => channelId)).toEqual([first]);
    const told = logged.filter(({ event }) => event === 'channel.mistaken');
    expect(told.map(({ fields }) => fields['channelId'])).toEqual([first]);
  });

  it('never, but does not understand its job’s state: operators are told, and the job ends well once it does', async () => {
    const { first, channels } = twoChannels();
    const { logged } = await world.startWorker({ channels });
    const label = world.label('dreaming');
    await world.upstream.instruct(label, { checks: ['unknown_word', 'unknown_word', 'done'] });
    const id = await world.submit(label);
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n, attemptsMade: 1 });
    expect(await world.attempts(id)).toMatchObject([{ channelId: first, state: 'succeeded' }]);
    const told = logged.filter(({ event }) => event === 'channel.mistaken');
    expect(told.map(({ fields }) => [fields['channelId'], fields['detail']])).toEqual([
      [first, 'a state that nobody wrote down'],
    ]);
  });

  it('for the request itself is right, and nobody else is asked', async () => {
    const { first, channels } = twoChannels();
    await world.upstream.instruct(first, { starts: [{ status: 400 }, { status: 422 }] });
    await world.startWorker({ channels, concurrency: 1 });
    const ids = [await world.submit(world.label()), await world.submit(world.label())] as const;
    const [malformed, forbidden] = [await world.ended(ids[0]), await world.ended(ids[1])];
    expect(malformed).toMatchObject({ status: 'failed', costNano: 0n, error: { message: 'The prompt is not one.' } });
    expect(forbidden.error).toMatchObject({
      message: 'The request was rejected by the content policy of the model.',
    });
    for (const id of ids) expect(await world.attempts(id)).toMatchObject([{ channelId: first, state: 'refused' }]);
  });

  it('for a while is waited for as long as it asked, and that counts against nobody', async () => {
    const label = world.label('limited');
    const busy = (retryAfterSeconds: number) => ({ status: 429, retryAfterSeconds });
    await world.upstream.instruct(label, { starts: [busy(2), busy(0), 'accept'] });
    await world.startWorker({ channels: [world.channel(label)] });
    const id = await world.submit(label);
    expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 3, failedSteps: 0 });
    const [first, second] = await world.journalOf(label);
    // Two clocks: the row's, and the queue's, which may ring a little early.
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1700);
  });

  it('again and again ends in a refund for want of an upstream', async () => {
    const label = world.label('refused');
    await world.upstream.instruct(label, { starts: [{ status: 503 }] });
    await world.startWorker();
    const id = await world.submit(label);
    expect(await world.hastened(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      failedSteps: 5,
      error: { message: 'No available upstream. Please try again later.', reason: 'no_upstream' },
    });
    const attempts = await world.attempts(id);
    expect(attempts.map(({ state }) => state)).toEqual(attempts.map(() => 'refused'));
    expect(attempts.length).toBeGreaterThanOrEqual(5);
  });

  it('most of the time is passed over without being asked', async () => {
    const { first, second, channels } = twoChannels();
    await world.upstream.instruct(first, { starts: [{ status: 500 }] });
    await world.startWorker({ channels });
    for (let count = 0; count < 5; count += 1) await world.ended(await world.submit(world.label()));
    const id = await world.submit(world.label());
    expect(await world.ended(id)).toMatchObject({ status: 'completed' });
    expect(await world.attempts(id)).toMatchObject([{ channelId: second, state: 'succeeded' }]);
    const askedFirst = (await world.upstream.journal()).filter(({ channel }) => channel === first);
    expect(askedFirst).toHaveLength(5);
  });

  it('for one of its models is passed over for that one alone', async () => {
    const { first, second, channels } = twoChannels();
    const models = ['never', 'idempotent'];
    await world.startWorker({ channels: channels.map((channel) => ({ ...channel, models })) });
    const ended = async (label: string, model: string) => {
      const id = await world.submit(label, { model });
      expect(await world.ended(id)).toMatchObject({ status: 'completed' });
      return (await world.attempts(id)).map(({ channelId }) => channelId);
    };
    for (let count = 0; count < 5; count += 1) {
      const label = world.label('dead');
      await world.upstream.instruct(label, { starts: [{ status: 410 }, 'accept'] });
      expect(await ended(label, 'idempotent')).toEqual([first, second]);
    }
    expect(await ended(world.label('dead'), 'idempotent')).toEqual([second]);
    expect(await ended(world.label('living'), 'never')).toEqual([first]);
  });
});

describe('a channel whose protocol cannot carry a task', () => {
  const small = { options: { most: 0 } };

  it('is passed over without an attempt, and the next one does it', async () => {
    const [first, second] = [world.label('first'), world.label('second')];
    await world.startWorker({ channels: [world.channel(first, small), world.channel(second, { priority: 2 })] });
    const id = await world.submit(world.label());
    expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 1 });
    expect(await world.attempts(id)).toMatchObject([{ number: 1, channelId: second, state: 'succeeded' }]);
  });

  it('is not gone back to when the other one is busy', async () => {
    const [first, second] = [world.label('first'), world.label('second')];
    await world.upstream.instruct(second, { starts: [{ status: 429, retryAfterSeconds: 0.1 }, 'accept'] });
    await world.startWorker({ channels: [world.channel(first, small), world.channel(second, { priority: 2 })] });
    const id = await world.submit(world.label());
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', failedSteps: 0 });
    expect((await world.attempts(id)).map(({ channelId }) => channelId)).toEqual([second, second]);
  });

  it('is the end of a task that no other can carry: refunded at once, with the field that is to blame', async () => {
    await world.startWorker({ channels: [world.channel(world.label('only'), small)] });
    const id = await world.submit(world.label());
    expect(await world.ended(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      attemptsMade: 0,
      error: { message: 'label: The model accepts at most 20 characters.', param: 'label' },
    });
  });
});

describe('without any channel', () => {
  it('a task is given up with a refund', async () => {
    await world.startWorker({ channels: [] });
    const id = await world.submit(world.label());
    expect(await world.hastened(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      attemptsMade: 0,
      error: { message: 'No available upstream. Please try again later.', reason: 'no_upstream' },
    });
  });
});

describe('a step that breaks before anything was sent', () => {
  it('is put off, longer every time, and given up in the end', async () => {
    const worker = await world.startWorker({
      wrap: (deps) => ({
        ...deps,
        loadMedia: async () => {
          throw new TypeError('a bug of ours');
        },
      }),
    });
    const id = await world.submit(world.label(), { imageUrl: 'https://images.example/a.png' });
    expect(await world.hastened(id)).toMatchObject({ status: 'failed', costNano: 0n, attemptsMade: 0 });
    expect(worker.logged.filter(({ event }) => event === 'task.step_failed')).toHaveLength(6);
  });
});
