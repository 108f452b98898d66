import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createFinisher, taskError } from '@mediagate/billing';
import { LINGERING, Slots } from '@mediagate/concurrency';
import { newTaskId, type StartOutcome } from '@mediagate/contracts';
import { forAllTests, forEachTest, until } from '@mediagate/testkit';
import type { Adapter, CallContext } from '@mediagate/upstreams';
import { allParts } from './generic-upstream/parts';
import { openCallers } from './world/callers';
import { openWorld } from './world/world';

/** More than both sides, the upstream's socket and all between them hold without a taker. */
const LONG = { parts: 1000, partBytes: 10_000, end: 'whole' } as const;
const OPEN_END = { parts: 3, partBytes: 5000, end: 'hold' } as const;

const world = forAllTests(openWorld);
const callers = forEachTest(() => openCallers(world));
afterEach(async () => {
  await world.closeWorkers();
  await callers.close();
  await world.upstream.release();
  expect(await world.audit()).toEqual([]);
});

const failedBy = (reason: string) => ({ status: 'failed', costNano: 0n, error: { reason } });

const journalSays = (label: string, event: string) =>
  until(async () => (await world.journalOf(label)).some((entry) => entry.event === event), `${label} is ${event}`);

describe('a synchronous answer', () => {
  it('comes whole to everybody who waits, and each task is settled before its last word', async () => {
    await world.startWorker({ concurrency: 64 });
    const stream = { parts: 20, partBytes: 7001, end: 'whole' } as const;
    const calls = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const label = world.label('live');
        await world.upstream.instruct(label, { stream });
        return callers.call({ label });
      }),
    );
    for (const { id, heard } of calls) {
      const { bytes, last } = await heard;
      expect(last).toEqual({ kind: 'settled', fence: 1 });
      expect(await world.task(id)).toMatchObject({ status: 'completed', costNano: 100n, result: null });
      expect(bytes.equals(allParts(stream))).toBe(true);
      expect(await world.attempts(id)).toMatchObject([{ state: 'succeeded', requestIds: ['r-live'] }]);
    }
  });

  it.each([
    ['whole', 'settled', 40n],
    ['cut', 'refunded', null],
  ] as const)('that is %s, and so %s, costs what is known of the declared 40: %s', async (end, state, costNano) => {
    const channel = world.label('declared');
    await world.startWorker({
      channels: [world.channel(channel, { protocol: 'live', costs: { units: { image: 40 } } })],
    });
    const label = world.label('live');
    await world.upstream.instruct(label, { stream: { parts: 3, partBytes: 1000, end } });
    const { id, heard } = await callers.call({ label });
    await heard;
    const reservation = await world.database.reservation.findUniqueOrThrow({ where: { taskId: id } });
    expect(reservation).toMatchObject({ costNano, channelId: channel, state });
    expect(await world.attempts(id)).toMatchObject([{ costNano }]);
  });

  it('is read from the upstream no faster than the caller takes it', async () => {
    await world.startWorker();
    const label = world.label('live');
    await world.upstream.instruct(label, { stream: LONG });
    const call = await callers.call({ label, takes: 20_000 });
    await call.begun;
    // Another one passes by from end to end.
    await (await callers.call()).heard;
    expect((await world.journalOf(label)).map(({ event }) => event)).toEqual(['accepted']);
    expect(await world.task(call.id)).toMatchObject({ completedAt: null });
    call.takeAll();
    const { bytes, last } = await call.heard;
    expect(last).toMatchObject({ kind: 'settled' });
    expect(bytes.equals(allParts(LONG))).toBe(true);
  });

  it('that breaks off is refunded, and the caller gets an error', async () => {
    await world.startWorker();
    const label = world.label('live');
    await world.upstream.instruct(label, { stream: { parts: 3, partBytes: 500, end: 'cut' } });
    const { id, heard, begun } = await callers.call({ label });
    await begun;
    await world.upstream.release();
    const { bytes, last } = await heard;
    expect(bytes.length).toBeGreaterThanOrEqual(500);
    expect(last).toEqual({ kind: 'failed', fence: 1 });
    expect(await world.task(id)).toMatchObject(failedBy('outcome_unknown'));
    expect(await world.attempts(id)).toMatchObject([
      { state: 'unknown', detail: expect.stringContaining('broke off') },
    ]);
  });

  it.each([
    ['after its first bytes', OPEN_END],
    ['before its first byte', { parts: 0, partBytes: 0, end: 'hold' }],
  ] as const)('that stalls %s is given up with a refund', async (_, stream) => {
    await world.startWorker();
    const label = world.label('live');
    await world.upstream.instruct(label, { stream });
    const { id, heard } = await callers.call({ label });
    expect((await heard).last).toEqual({ kind: 'failed', fence: 1 });
    expect(await world.task(id)).toMatchObject(failedBy('outcome_unknown'));
    await journalSays(label, 'hung_up');
  });

  it('without a byte is none: the task is refunded', async () => {
    await world.startWorker();
    const label = world.label('live');
    await world.upstream.instruct(label, { stream: { parts: 0, partBytes: 0, end: 'whole' } });
    const { id, heard } = await callers.call({ label });
    expect((await heard).last).toEqual({ kind: 'failed', fence: 1 });
    expect(await world.task(id)).toMatchObject(failedBy('outcome_unknown'));
  });

  it('is cut by the task’s deadline, with a refund', async () => {
    await world.startWorker();
    const label = world.label('live');
    await world.upstream.instruct(label, { stream: LONG });
    const { id, heard } = await callers.call({ label, takes: 0, deadlineMs: 5000 });
    const { last, ended } = await heard;
    expect(await world.task(id)).toMatchObject(failedBy('timeout'));
    // The reconciler may be quicker than the worker: then the worker only knows that it lost the task.
    if (last.kind === 'worker_lost') expect(ended).toMatchObject({ won: false });
    else expect(last).toEqual({ kind: 'failed', fence: 1 });
    await journalSays(label, 'hung_up');
  });

  it('ends when somebody else ends the task', async () => {
    // It finds out when it renews its lease.
    await world.startWorker({ leaseMs: 4000 });
    const label = world.label('live');
    await world.upstream.instruct(label, { stream: LONG });
    const { id, heard, begun } = await callers.call({ label, takes: 0 });
    await begun;
    const outcome = { kind: 'failed', error: taskError('cancelled') } as const;
    await createFinisher(world.database)({
      taskId: id,
      accountId: (await world.task(id)).accountId,
      fence: 'any',
      outcome,
    });
    const { last, ended } = await heard;
    expect(last).toEqual({ kind: 'worker_lost', fence: 1 });
    expect(ended).toMatchObject({ won: false });
    await journalSays(label, 'hung_up');
  });
});

describe('a caller who leaves', () => {
  it('before a worker came is nobody: no upstream is called', async () => {
    const { id, label, listening, heard } = await callers.call({ enqueue: false });
    listening.leave();
    expect((await heard).ended).toMatchObject({ won: true });
    await world.startWorker();
    await world.queues.enqueueTask({ family: 'tts', taskId: id, fence: 0 });
    await (await callers.call()).heard;
    expect(await world.task(id)).toMatchObject({ status: 'failed', costNano: 0n });
    expect(await world.accepted(label)).toBe(0);
  });

  it('with the process that he waited in is nobody either', async () => {
    await world.startWorker();
    const label = world.label('live');
    const listener = { url: 'http://127.0.0.1:1/callers/gone', token: 'once' };
    const id = await world.submit(label, { model: 'live', listener });
    expect(await world.ended(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { message: 'The caller left before the model had begun to answer.', reason: 'caller_left' },
    });
    expect(await world.accepted(label)).toBe(0);
  });

  it('no address to his worker is nobody either', async () => {
    await world.startWorker();
    const label = world.label('live');
    const id = await world.submit(label, { model: 'live' });
    expect(await world.ended(id)).toMatchObject(failedBy('caller_left'));
    expect(await world.accepted(label)).toBe(0);
  });

  it('after the first byte stops the upstream and pays in full', async () => {
    await world.startWorker();
    const label = world.label('live');
    await world.upstream.instruct(label, { stream: LONG });
    const { id, listening, heard, begun } = await callers.call({ label, takes: 0 });
    await begun;
    listening.leave();
    expect((await heard).last).toEqual({ kind: 'settled', fence: 1 });
    expect(await world.task(id)).toMatchObject({ status: 'completed', costNano: 100n });
    await journalSays(label, 'hung_up');
  });
});

describe('a caller who leaves before the first byte', () => {
  const PAID = { status: 'completed', costNano: 100n, result: null };
  const LONG_MS = 60_000;

  /** Records what the worker asks for when it learns that the caller has left. */
  function lingering(isFree = true) {
    const slots = new Slots(LINGERING);
    const asked: unknown[] = [];
    const tryTake: Slots['tryTake'] = (wish) => {
      asked.push(wish.owner);
      return isFree ? slots.tryTake(wish) : undefined;
    };
    return { asked, tryTake };
  }

  it('of an upstream that was asked and then begins pays in full, and stops it', async () => {
    const slots = lingering();
    await world.startWorker({ wrap: (deps) => ({ ...deps, lingering: slots, lingerMs: LONG_MS }) });
    const label = world.label('live');
    await world.upstream.instruct(label, { starts: ['accept and hold'], stream: LONG });
    const { id, listening, heard } = await callers.call({ label });
    await journalSays(label, 'accepted');
    listening.leave();
    await until(async () => slots.asked.length > 0, 'the worker knows');
    const { accountId, completedAt } = await world.task(id);
    expect(slots.asked).toEqual([{ accountId, isTest: false }]);
    expect(completedAt).toBeNull();
    await world.upstream.release();
    expect((await heard).last).toEqual({ kind: 'settled', fence: 1 });
    expect(await world.task(id)).toMatchObject(PAID);
    expect(await world.attempts(id)).toMatchObject([{ state: 'succeeded' }]);
    await journalSays(label, 'hung_up');
  });

  it.each([400, 422, 500, 503])(
    'of an upstream that refuses with %d gets his money back, and no other is asked',
    async (status) => {
      const slots = lingering();
      const [first, second] = [world.label('first'), world.label('second')];
      const channels = [
        world.channel(first, { protocol: 'live' }),
        world.channel(second, { protocol: 'live', priority: 2 }),
      ];
      await world.startWorker({ channels, wrap: (deps) => ({ ...deps, lingering: slots, lingerMs: LONG_MS }) });
      const label = world.label('live');
      await world.upstream.instruct(label, { starts: [{ status, isHeld: true }] });
      const { id, listening, heard } = await callers.call({ label });
      await journalSays(label, 'refused');
      listening.leave();
      await until(async () => slots.asked.length > 0, 'the worker knows');
      await world.upstream.release();
      expect((await heard).last).toEqual({ kind: 'failed', fence: 1 });
      expect(await world.task(id)).toMatchObject(failedBy('caller_left'));
      expect(await world.attempts(id)).toMatchObject([{ channelId: first, state: 'refused' }]);
    },
  );

  it.each([
    ['says nothing for as long as it is waited for', true, 300],
    ['is waited for no time beyond the bound of such calls', false, LONG_MS],
  ] as const)('of an upstream that %s pays what was sent, and stops it', async (_, isFree, lingerMs) => {
    await world.startWorker({ wrap: (deps) => ({ ...deps, lingering: lingering(isFree), lingerMs }) });
    const label = world.label('live');
    await world.upstream.instruct(label, { starts: ['accept and hold'] });
    const { id, listening, heard } = await callers.call({ label });
    await journalSays(label, 'accepted');
    listening.leave();
    expect((await heard).last).toEqual({ kind: 'settled', fence: 1 });
    expect(await world.task(id)).toMatchObject(PAID);
    expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', fault: 'outcome_unknown' }]);
    await journalSays(label, 'hung_up');
  });

  it('of an upstream that was not asked yet gets his money back at once', async () => {
    const slots = lingering();
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const waitsForConnection = async (_: unknown, { signal }: CallContext): Promise<StartOutcome> => {
      begin();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { kind: 'refused', fault: { code: 'not_accepted', detail: 'aborted' } };
    };
    const withAdapter = (adapters: ReadonlyMap<string, Adapter>) =>
      new Map([...adapters].map(([protocol, adapter]) => [protocol, { ...adapter, start: waitsForConnection }]));
    await world.startWorker({
      wrap: (deps) => ({ ...deps, lingering: slots, lingerMs: LONG_MS, adapters: withAdapter(deps.adapters) }),
    });
    const { id, listening, heard } = await callers.call();
    await begun;
    listening.leave();
    expect((await heard).last).toEqual({ kind: 'failed', fence: 1 });
    expect(await world.task(id)).toMatchObject(failedBy('caller_left'));
    expect(slots.asked).toEqual([]);
  });
});

describe('an API process that goes away', () => {
  it('stops the upstream and costs the caller nothing', async () => {
    await world.startWorker();
    const label = world.label('live');
    await world.upstream.instruct(label, { stream: LONG });
    const { id, begun } = await callers.call({ label, takes: 0 });
    await begun;
    await callers.close();
    expect(await world.ended(id)).toMatchObject({ status: 'failed', costNano: 0n });
    await journalSays(label, 'hung_up');
  });
});

describe('an address of a caller', () => {
  /** A worker whose steps under way are counted. */
  async function startCounted() {
    const held = { steps: 0 };
    const inFlight = {
      inc() {
        held.steps += 1;
      },
      dec() {
        held.steps -= 1;
      },
    };
    const { logged } = await world.startWorker({
      wrap: (deps) => ({ ...deps, metrics: { ...deps.metrics, inFlight: inFlight as never } }),
    });
    return { logged, held };
  }

  it('to which no connection can be opened is nobody, and the worker has given back all it held for the task', async () => {
    const { logged, held } = await startCounted();
    const id = await world.submit(world.label('live'), {
      model: 'live',
      listener: { url: 'no address', token: 'once' },
    });
    expect(await world.ended(id)).toMatchObject(failedBy('caller_left'));
    await until(async () => held.steps === 0, 'the step is over');
    expect(logged).toContainEqual(expect.objectContaining({ event: 'speech.not_reached' }));
  });

  it('at which nobody answers is waited for no longer than the step has something to say there', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection');
    const label = world.label('live');
    const outcome = { kind: 'failed', error: taskError('cancelled') } as const;
    const taskId = newTaskId();
    const endBefore = async () => {
      await connected;
      const { accountId } = await world.task(taskId);
      await createFinisher(world.database)({ taskId, accountId, fence: 'any', outcome });
    };
    const worker = await world.startWorker({
      channels: [],
      wrap: (deps) => ({ ...deps, ensureSettingsKnown: endBefore }),
    });
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/callers/silent`;
    await world.submit(label, { taskId, model: 'live', listener: { url, token: 'once' } });
    const [socket] = await connected;
    socket.resume();
    await once(socket, 'close');
    await worker.close();
    silent.close();
    expect(worker.logged).not.toContainEqual(expect.objectContaining({ event: 'speech.not_reached' }));
  });
});

describe('a synchronous task that a channel turns away', () => {
  const twoChannels = () => {
    const [first, second] = [world.label('first'), world.label('second')];
    const channels = [
      world.channel(first, { protocol: 'live' }),
      world.channel(second, { protocol: 'live', priority: 2 }),
    ];
    return { first, second, channels };
  };

  it.each([503, 500, 401, 429])('with %d goes to the next one at once', async (status) => {
    const { first, second, channels } = twoChannels();
    await world.upstream.instruct(first, { starts: [{ status, retryAfterSeconds: 3600 }] });
    await world.startWorker({ channels });
    const { id, heard } = await callers.call();
    const { bytes, last } = await heard;
    expect(last).toEqual({ kind: 'settled', fence: 2 });
    expect(bytes).toHaveLength(1000);
    expect(await world.attempts(id)).toMatchObject([
      { channelId: first, state: 'refused' },
      { channelId: second, state: 'succeeded' },
    ]);
  });

  it.each([
    ['refused by all', 503, true, 'no_upstream'],
    ['limited by all', 429, true, 'no_upstream'],
    ['wrong', 400, false, 'invalid_parameter'],
    ['forbidden', 422, false, 'content_policy'],
  ] as const)('because it is %s fails at once', async (_, status, nextChannel, reason) => {
    const { first, second, channels } = twoChannels();
    for (const channel of [first, second]) {
      await world.upstream.instruct(channel, { starts: [{ status, retryAfterSeconds: 30 }] });
    }
    await world.startWorker({ channels });
    const { id, heard } = await callers.call();
    const fence = nextChannel ? 2 : 1;
    expect((await heard).last).toEqual({ kind: 'failed', fence });
    expect(await world.task(id)).toMatchObject(failedBy(reason));
  });

  it('because there is none fails at once', async () => {
    await world.startWorker({ channels: [] });
    const { id, heard } = await callers.call();
    expect((await heard).last).toEqual({ kind: 'failed', fence: 1 });
    expect(await world.task(id)).toMatchObject(failedBy('no_upstream'));
  });

  it('because it is full waits a moment for a place', async () => {
    const [channel, label] = [world.label('small'), world.label('live')];
    await world.upstream.instruct(label, { stream: LONG });
    await world.startWorker({ channels: [world.channel(channel, { protocol: 'live', maxConcurrency: 1 })] });
    const first = await callers.call({ label, takes: 0 });
    await first.begun;
    const second = await callers.call();
    const waiter = () => world.database.slotWaiter.findUnique({ where: { taskId: second.id } });
    await until(async () => (await waiter()) !== null, 'the second waits');
    first.takeAll();
    expect((await second.heard).last).toMatchObject({ kind: 'settled' });
    expect((await first.heard).last).toMatchObject({ kind: 'settled' });
  });
});
