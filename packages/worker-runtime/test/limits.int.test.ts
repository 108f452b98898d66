import { createHash } from 'node:crypto';
import { Slots } from '@mediagate/concurrency';
import { type LoadedMedia, message, type TaskId } from '@mediagate/contracts';
import { INPUT_LIMITS, MediaError } from '@mediagate/media';
import { forAllTests, until, withMethods } from '@mediagate/testkit';
import { createRehostedFiles } from '../src/step-memory';
import type { WorkerDeps } from '../src/worker-deps';
import { smallPng } from './generic-upstream/png';
import type { JournalEntry } from './generic-upstream/script';
import { openWorld } from './world/world';

const world = forAllTests(openWorld);
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

/** Two workers, one of them another process, with slots enough for everything. */
async function twoWorkers(channels = world.spec.channels) {
  const other = await world.spawnWorker({ channels });
  other.takeJobs();
  await world.startWorker({ channels });
  return async () => {
    other.signal('SIGTERM');
    expect(await other.exited).toEqual({ code: 0, signal: null });
  };
}

/** The most jobs that the upstream had in its hands at once, by its own record. */
function mostAtOnce(journal: JournalEntry[], labels: string[]): number {
  let now = 0;
  let most = 0;
  for (const { event, label } of journal) {
    if (!labels.includes(label)) continue;
    if (event === 'accepted') now += 1;
    if (event === 'finished') now -= 1;
    most = Math.max(most, now);
  }
  return most;
}

async function allCompleted(tasks: TaskId[]): Promise<void> {
  const ended = await Promise.all(tasks.map((id) => world.hastened(id)));
  expect(ended.map(({ status }) => status)).toEqual(tasks.map(() => 'completed'));
}

describe('a channel with max_concurrency', () => {
  it('has no more jobs at once than it may, however many workers there are', async () => {
    const [channel, labels] = [world.label('narrow'), Array.from({ length: 12 }, () => world.label('narrow-job'))];
    const endOther = await twoWorkers([world.channel(channel, { maxConcurrency: 3 })]);
    await world.upstream.instruct(channel, { checks: ['running'] });
    const tasks = await Promise.all(labels.map((label) => world.submit(label)));
    const waiting = async () => (await world.database.task.count({ where: { attemptsMade: 0 } })) === 9;
    await until(waiting, 'three jobs are under way');
    await world.upstream.instruct(channel, { checks: ['running', 'done'] });
    await allCompleted(tasks);
    expect(mostAtOnce(await world.upstream.journal(), labels)).toBe(3);
    await endOther();
  });
});

describe('test tasks', () => {
  it('whose vendor does not answer leave slots of the worker to paid work, and go on once it does', async () => {
    const [tests, paid] = [world.label('tests'), world.label('paid')];
    await world.upstream.instruct(tests, { starts: ['accept and hold'] });
    await world.startWorker({
      concurrency: 8,
      channels: [world.channel(tests, { isTest: true }), world.channel(paid)],
    });
    const payers = await Promise.all(Array.from({ length: 10 }, () => world.newPayer({ isTest: true })));
    const ids: TaskId[] = [];
    for (const payer of payers) ids.push(await world.submit(world.label('test'), { payer, isTest: true }));
    const begun = () => world.database.taskAttempt.count({ where: { taskId: { in: ids } } });
    await until(async () => (await begun()) === 2, 'two test tasks have begun');
    expect(await world.hastened(await world.submit(world.label('job')))).toMatchObject({ status: 'completed' });
    expect(await begun()).toBe(2);
    await world.upstream.instruct(tests, {});
    await world.upstream.release();
    await allCompleted(ids);
  });
});

describe('tasks that wait for a full channel', () => {
  const PLACES = 4;
  const TASKS = 60;

  it('are looked at when it is their turn, in their order, and not while they wait', async () => {
    const [channel, labels] = [world.label('full'), Array.from({ length: TASKS }, () => world.label('waiting'))];
    const channels = [world.channel(channel, { maxConcurrency: PLACES })];
    await world.upstream.instruct(channel, { checks: ['running'] });
    await Promise.all([world.startWorker({ channels }), world.startWorker({ channels })]);
    const ids: TaskId[] = [];
    for (const label of labels) ids.push(await world.submit(label));
    const waiting = () => world.database.slotWaiter.count({ where: { taskId: { in: ids } } });
    await until(async () => (await waiting()) === TASKS - PLACES, 'all but those that run wait');
    const before = await world.database.task.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
    const looks = before.filter(({ attemptId }) => attemptId === null).map(({ fence }) => fence);
    expect(looks).toEqual(Array.from({ length: TASKS - PLACES }, () => 1));

    const turns = await world.database.slotWaiter.findMany({
      where: { taskId: { in: ids } },
      orderBy: { turnAt: 'asc' },
    });
    const inTurn = turns.map(({ taskId }) => labels[ids.indexOf(taskId as TaskId)]);
    await world.upstream.instruct(channel, {});
    for (const id of ids.slice(0, PLACES)) await world.hasten(id);
    for (const id of ids) expect(await world.ended(id)).toMatchObject({ status: 'completed', attemptsMade: 1 });
    const accepted = (await world.upstream.journal()).filter(({ event }) => event === 'accepted');
    const order = accepted.map(({ label }) => inTurn.indexOf(label)).filter((turn) => turn >= 0);
    // Tasks that have slots at the same time begin in any order.
    const displaced = order.map((turn, started) => Math.abs(turn - started));
    expect(Math.max(...displaced)).toBeLessThanOrEqual(2 * PLACES);
    expect(await waiting()).toBe(0);
  });
});

describe('the slot of a full channel', () => {
  it('goes to the next task when the vendor is done, while the result is stored, and no two jobs are at the vendor', async () => {
    const [channel, labels] = [world.label('one'), [world.label('storing'), world.label('next')] as const];
    let store: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    const wrap = (deps: WorkerDeps): WorkerDeps => ({
      ...deps,
      store: {
        ...deps.store,
        ownsUrl: (url) => deps.store.ownsUrl(url),
        save: (media) => stored.then(() => deps.store.save(media)),
      },
    });
    await world.upstream.instruct(channel, { checks: ['running'] });
    await world.startWorker({ channels: [world.channel(channel, { maxConcurrency: 1 })], wrap });
    const first = await world.submit(labels[0]);
    await until(async () => (await world.task(first)).attemptState === 'accepted', 'the channel is full');
    const next = await world.submit(labels[1]);
    const waits = () => world.database.slotWaiter.count({ where: { taskId: next } });
    await until(async () => (await waits()) === 1, 'the next one waits');

    await world.upstream.instruct(labels[0], { checks: ['done'] });
    await world.hasten(first);
    try {
      await until(async () => (await world.task(next)).attemptState === 'accepted', 'the next one is at the vendor');
      expect(await world.task(first)).toMatchObject({ completedAt: null });
    } finally {
      store();
    }
    await world.upstream.instruct(channel, {});
    await allCompleted([first, next]);
    expect(mostAtOnce(await world.upstream.journal(), [...labels])).toBe(1);
  });
});

describe('a key with max_concurrent', () => {
  it('never runs more tasks than it may; each that ends gives its slot to one that awaits it in its row', async () => {
    const payer = await world.newPayer({ maxConcurrent: 2 });
    const labels = Array.from({ length: 8 }, () => world.label('keyed'));
    const endOther = await twoWorkers();
    await world.upstream.instruct('never', { checks: ['running'] });
    const tasks = await Promise.all(labels.map((label) => world.submit(label, { payer })));
    const count = (status: string) => world.database.task.count({ where: { keyId: payer.keyId, status } });
    await until(async () => (await count('processing')) === 2, 'two tasks run');
    expect(await world.database.task.count({ where: { keyId: payer.keyId, awaitsKeySlot: true } })).toBe(6);
    expect((await world.queues.counts()).find(({ name }) => name === 'tts')).toMatchObject({ waiting: 0 });

    await world.upstream.instruct('never', { checks: ['running', 'done'] });
    await allCompleted(tasks);
    expect(mostAtOnce(await world.upstream.journal(), labels)).toBe(2);
    await endOther();
  });

  it('is not used up by a task that waits for its caller, nor is a channel by it', async () => {
    const payer = await world.newPayer({ maxConcurrent: 1 });
    const channel = world.label('narrow');
    await world.startWorker({ channels: [world.channel(channel, { maxConcurrency: 1 })] });
    const [waiting, answer] = [world.label('waiting'), world.label('answer')];
    await world.upstream.instruct(waiting, { checks: ['parked'] });
    const parked = await world.submit(waiting, { payer });
    await until(async () => (await world.task(parked)).parked, 'the first one waits for its caller');
    expect(await world.hastened(await world.submit(answer, { payer }))).toMatchObject({ status: 'completed' });
    await world.upstream.instruct(waiting, { checks: ['queued', 'running', 'done'] });
    expect(await world.hastened(parked)).toMatchObject({ status: 'completed' });
  });
});

describe('the files of a task that waits', () => {
  const imageUrl = `data:image/png;base64,${smallPng().toString('base64')}`;

  /** A channel with one job, and a worker that counts how often files are loaded, and how many of them were known. */
  async function fullChannel({ seemsToHaveSlot }: { seemsToHaveSlot: boolean }) {
    const channel = world.label('full');
    const loads = { all: 0, known: 0 };
    const wrap = (deps: WorkerDeps): WorkerDeps => ({
      ...deps,
      database: withMethods(deps.database, seemsToHaveSlot ? { hasSlot: async () => true } : {}),
      loadMedia: (references, signal, options) => {
        loads.all += 1;
        loads.known += options?.inspected?.size ?? 0;
        return deps.loadMedia(references, signal, options);
      },
    });
    await world.upstream.instruct(channel, { checks: ['running'] });
    await world.startWorker({ channels: [world.channel(channel, { maxConcurrency: 1 })], wrap });
    const first = await world.submit(world.label('first'));
    await until(async () => (await world.task(first)).attemptState === 'accepted', 'the channel is full');
    const ends = async () => {
      await world.upstream.instruct(channel, {});
      return world.hastened(first);
    };
    return { loads, ends };
  }

  async function waitThrough(id: TaskId, tries: number): Promise<void> {
    const triesOf = async () => {
      await world.hasten(id);
      return (await world.task(id)).fence;
    };
    await until(async () => (await triesOf()) > tries, `it was tried ${tries} times`);
  }

  it('are not even fetched before the channel has a free slot', async () => {
    const { loads, ends } = await fullChannel({ seemsToHaveSlot: false });
    const id = await world.submit(world.label('waiting'), { imageUrl });
    await waitThrough(id, 5);
    expect(loads.all).toBe(0);
    await ends();
    expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
    expect(loads.all).toBe(1);
  });

  it('are not fetched while the results of others take all space', async () => {
    let loads = 0;
    const wrap = (deps: WorkerDeps): WorkerDeps => ({
      ...deps,
      profile: { ...deps.profile, bytesPerOutput: 1 },
      loadMedia(...loading) {
        loads += 1;
        return deps.loadMedia(...loading);
      },
    });
    const { deps } = await world.startWorker({ wrap });
    const others = deps.openFiles({ owner: { accountId: 'others' }, signal: new AbortController().signal });
    expect(others.tryReserve(1024 * 1024 * 1024)).toBe(true);
    const id = await world.submit(world.label('waiting'), { imageUrl });
    await waitThrough(id, 3);
    expect(loads).toBe(0);
    await others.close();
    expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
    expect(loads).toBe(1);
  });

  it('are inspected once, though the slot is always gone before the task has it', async () => {
    const { loads, ends } = await fullChannel({ seemsToHaveSlot: true });
    const id = await world.submit(world.label('waiting'), { imageUrl, inspect: true });
    await waitThrough(id, 5);
    expect(loads.all - loads.known).toBe(1);
    await ends();
    expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
    expect(loads.all - loads.known).toBe(1);
  });
});

describe('a file that the vendor fetches itself', () => {
  const imageUrl = `data:image/png;base64,${smallPng().toString('base64')}`;
  const imagesSent = async (label: string) =>
    (await world.journalOf(label)).flatMap(({ event, image }) => (event === 'accepted' ? [image] : []));

  async function sentTo(media: 'pass' | 'rehost' | 'upload', url: string) {
    const [channel, label] = [world.label(media), world.label('file')];
    await world.closeWorkers();
    await world.startWorker({ channels: [world.channel(channel, { media })] });
    const id = await world.submit(label, { imageUrl: url, inspect: true });
    expect(await world.ended(id)).toMatchObject({ status: 'completed', costNano: 100n });
    return { id, images: await imagesSent(label) };
  }

  it('is passed on as it is named', async () => {
    const { id, images } = await sentTo('pass', imageUrl);
    expect(images).toEqual([imageUrl]);
    expect(await world.database.mediaObject.count({ where: { taskId: id, purpose: 'input' } })).toBe(0);
  });

  it('is kept under a link of ours that lasts as long as the task may, where its channel re-hosts', async () => {
    const { id, images } = await sentTo('rehost', imageUrl);
    const [object, ...others] = await world.database.mediaObject.findMany({ where: { taskId: id, purpose: 'input' } });
    expect(others).toEqual([]);
    const { deadlineAt } = await world.task(id);
    expect(Math.abs(Number(object?.expiresAt) - deadlineAt.getTime())).toBeLessThan(5_000);
    expect(images).toEqual([expect.stringContaining(`http://gateway.example/v1/files/${object?.id}.png?`)]);
    const sha256 = createHash('sha256').update(smallPng()).digest();
    expect(Buffer.from(object?.sha256 ?? [])).toEqual(sha256);
  });

  it('goes within the request where its channel uploads, also one of our own', async () => {
    const { deps } = await world.startWorker();
    const { accountId } = world.payer;
    const owned = { accountId, purpose: 'upload', contentType: 'image/png', lifetimeMs: 60_000 } as const;
    const { url } = await deps.store.save({ ...owned, bytes: smallPng() });
    expect((await sentTo('upload', url)).images).toEqual([imageUrl]);
    expect((await sentTo('rehost', url)).images).toEqual([url]);
  });

  it('that cannot be brought ends the task before anything is sent, with its field', async () => {
    const label = world.label('gone');
    const wrap = (deps: WorkerDeps): WorkerDeps => ({
      ...deps,
      loadMedia: (references, signal, options) =>
        references.every(({ inspectOnly }) => inspectOnly)
          ? deps.loadMedia(references, signal, options)
          : Promise.reject(new MediaError('image_url', message('file_unreadable'))),
    });
    await world.startWorker({ channels: [world.channel(world.label('rehost'), { media: 'rehost' })], wrap });
    const id = await world.submit(label, { imageUrl, inspect: true });
    const error = { reason: 'bad_media', param: 'image_url' };
    expect(await world.ended(id)).toMatchObject({ status: 'failed', costNano: 0n, error });
    expect([await world.attempts(id), await imagesSent(label)]).toEqual([[], []]);
  });

  /** Files that are brought to be carried, with whether the only slot for files was taken meanwhile. */
  function carrying(change: Partial<LoadedMedia> = {}) {
    const brought: { fields: string[]; isWithinShare: boolean }[] = [];
    const wrap = (deps: WorkerDeps): WorkerDeps => {
      const files = new Slots({ capacity: 1 });
      const loadMedia: WorkerDeps['loadMedia'] = async (references, signal, options) => {
        const loaded = await deps.loadMedia(references, signal, options);
        if (references.some(({ inspectOnly }) => inspectOnly)) return loaded;
        const slot = files.tryTake({ owner: { accountId: 'another' } });
        slot?.release();
        brought.push({ fields: references.map(({ field }) => field), isWithinShare: slot === undefined });
        return { ...loaded, media: loaded.media.map((file) => ({ ...file, ...change })) };
      };
      return { ...deps, slots: { ...deps.slots, files }, loadMedia };
    };
    return { wrap, brought };
  }

  it.each(['rehost', 'upload'] as const)(
    'is brought within the share of files where its channel says %s',
    async (media) => {
      const { wrap, brought } = carrying();
      await world.startWorker({ channels: [world.channel(world.label(media), { media })], wrap });
      const id = await world.submit(world.label('file'), { imageUrl, inspect: true });
      expect(await world.ended(id)).toMatchObject({ status: 'completed' });
      expect(brought).toEqual([{ fields: ['image_url'], isWithinShare: true }]);
    },
  );

  it('is brought for the channel that is tried alone', async () => {
    const [first, other, label] = [world.label('first'), world.label('other'), world.label('file')];
    const { wrap, brought } = carrying();
    const passing = world.channel(first, { maxConcurrency: 1, priority: 1 });
    await world.startWorker({ channels: [passing, world.channel(other, { media: 'rehost', priority: 2 })], wrap });
    expect(await world.ended(await world.submit(label, { imageUrl, inspect: true }))).toMatchObject({
      status: 'completed',
    });
    expect([brought, await imagesSent(label)]).toEqual([[], [imageUrl]]);

    await world.upstream.instruct(first, { checks: ['running'] });
    const running = await world.submit(world.label('running'));
    await until(async () => (await world.task(running)).attemptState === 'accepted', 'the first channel is full');
    const label2 = world.label('file');
    expect(await world.ended(await world.submit(label2, { imageUrl, inspect: true }))).toMatchObject({
      status: 'completed',
    });
    expect(brought).toHaveLength(1);
    expect(await imagesSent(label2)).toEqual([expect.stringContaining('http://gateway.example/v1/files/')]);
    await world.upstream.instruct(first, {});
    await world.hastened(running);
  });

  it.each([
    ['rehost', { width: 5000 }],
    ['upload', { contentType: 'image/webp' }],
    ['upload', { seconds: 30 }],
  ] as const)(
    'that is another by the time of %s (%j) ends the task with its field, and nothing is sent',
    async (media, change) => {
      const label = world.label('changed');
      await world.startWorker({
        channels: [world.channel(world.label(media), { media })],
        wrap: carrying(change).wrap,
      });
      const id = await world.submit(label, { imageUrl, inspect: true });
      const error = { reason: 'bad_media', param: 'image_url' };
      expect(await world.ended(id)).toMatchObject({ status: 'failed', costNano: 0n, error });
      expect([await world.attempts(id), await imagesSent(label)]).toEqual([[], []]);
      expect(await world.database.mediaObject.count({ where: { taskId: id, purpose: 'input' } })).toBe(0);
    },
  );

  it('waits, unfetched, while those of its account take all that they may, and counts with them until it is removed', async () => {
    const { wrap, brought } = carrying();
    await world.startWorker({ channels: [world.channel(world.label('rehost'), { media: 'rehost' })], wrap });
    const payer = await world.newPayer();
    const owner = `inputs:${payer.accountId}`;
    const { storageUsage } = world.database;
    await storageUsage.create({ data: { owner, day: new Date(), storedBytes: INPUT_LIMITS.accountBytes } });
    const id = await world.submit(world.label('file'), { imageUrl, inspect: true, payer });
    await until(async () => {
      await world.hasten(id);
      return (await world.task(id)).fence > 2;
    }, 'it was tried');
    expect([brought, await world.attempts(id)]).toEqual([[], []]);
    await storageUsage.update({ where: { owner }, data: { storedBytes: 0 } });
    expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
    const { id: inputId, bytes } = await world.database.mediaObject.findFirstOrThrow({
      where: { taskId: id, purpose: 'input' },
    });
    const stored = async () => (await storageUsage.findUniqueOrThrow({ where: { owner } })).storedBytes;
    expect(await stored()).toBe(bytes);
    await world.database.markMediaDeleted([inputId]);
    expect(await stored()).toBe(0n);
  });

  it('is fetched once where there is too little space for it, and the task says so before its deadline', async () => {
    const { wrap, brought } = carrying();
    await world.startWorker({ channels: [world.channel(world.label('rehost'), { media: 'rehost' })], wrap });
    const payer = await world.newPayer();
    const storedBytes = INPUT_LIMITS.accountBytes - 1;
    await world.database.storageUsage.create({
      data: { owner: `inputs:${payer.accountId}`, day: new Date(), storedBytes },
    });
    const id = await world.submit(world.label('file'), { imageUrl, inspect: true, payer });
    await until(async () => {
      await world.hasten(id);
      return (await world.task(id)).fence > 3;
    }, 'it was tried');
    expect(brought).toHaveLength(1);
    await world.database.task.update({ where: { id }, data: { deadlineAt: new Date(Date.now() + 20_000) } });
    const message = expect.stringContaining('all the space of the account');
    expect(await world.hastened(id)).toMatchObject({ status: 'failed', error: { reason: 'no_upstream', message } });
  });

  it.each([
    ['by a worker that remembers it', {}],
    ['by workers that each forget it', { rehostedFiles: { ...createRehostedFiles(), of: () => new Map() } }],
  ])(
    'is stored once, though the slot is always gone before the task has it: %s',
    async (_, memory: Partial<WorkerDeps>) => {
      const channel = world.label('full');
      await world.upstream.instruct(channel, { checks: ['running'] });
      const wrap = (deps: WorkerDeps): WorkerDeps => ({
        ...deps,
        ...memory,
        database: withMethods(deps.database, { hasSlot: async () => true }),
      });
      await world.startWorker({ channels: [world.channel(channel, { maxConcurrency: 1, media: 'rehost' })], wrap });
      const first = await world.submit(world.label('first'));
      await until(async () => (await world.task(first)).attemptState === 'accepted', 'the channel is full');
      const id = await world.submit(world.label('waiting'), { imageUrl, inspect: true });
      const tries = async () => {
        await world.hasten(id);
        return (await world.task(id)).fence;
      };
      await until(async () => (await tries()) > 5, 'it was tried');
      await world.upstream.instruct(channel, {});
      await world.hastened(first);
      expect(await world.hastened(id)).toMatchObject({ status: 'completed' });
      expect(await world.database.mediaObject.count({ where: { taskId: id, purpose: 'input' } })).toBe(1);
    },
  );
});

describe('a channel whose starts take turns', () => {
  it('loses no turn to a task that it has no slot for', async () => {
    const channel = world.label('paced');
    await world.upstream.instruct(channel, { checks: ['running'] });
    const row = { throttledAt: new Date(), coolingUntil: new Date(), strikes: 1, ceiling: 1, nextStartAt: new Date() };
    await world.database.channelPace.create({ data: { channelId: channel, ...row } });
    await world.startWorker({ channels: [world.channel(channel, { maxConcurrency: 1 })] });
    const running = await world.submit(world.label('running'));
    await until(async () => (await world.task(running)).attemptState === 'accepted', 'the channel is full');
    const paceOf = () => world.database.channelPace.findUniqueOrThrow({ where: { channelId: channel } });
    const before = await paceOf();
    const waiting = await world.submit(world.label('waiting'));
    const waiter = () => world.database.slotWaiter.findUnique({ where: { taskId: waiting } });
    await until(async () => (await waiter()) !== null, 'the second waits for a slot');
    expect(await paceOf()).toEqual(before);
    await world.upstream.instruct(channel, {});
    await allCompleted([running, waiting]);
  });
});

describe('a vendor that throttles everything', () => {
  const CONCURRENCY = 8;
  const TASKS = 20;

  it('is asked ever more rarely, whatever waits and however many workers there are, and all is done once it serves', async () => {
    const channel = world.label('throttled');
    await world.upstream.instruct(channel, { starts: [{ status: 429, retryAfterSeconds: 0 }] });
    const channels = [world.channel(channel)];
    await Promise.all([world.startWorker({ channels }), world.startWorker({ channels })]);
    const ids = await Promise.all(Array.from({ length: TASKS }, () => world.submit(world.label('waiting'))));
    const refusals = async () =>
      (await world.upstream.journal()).filter((entry) => entry.channel === channel && entry.event === 'refused');
    const pastMs = 3_000;
    const all = await until(async () => {
      const seen = await refusals();
      return Number(seen.at(-1)?.atMs) - Number(seen[0]?.atMs) > pastMs && seen;
    }, 'it was asked for a while');
    // Calls under way in both workers as the first refusal came, and a few more after 1 and 2 seconds.
    expect(all.length).toBeLessThanOrEqual(2 * CONCURRENCY + 4);
    await world.upstream.instruct(channel, {});
    // As if the minute had passed after which it goes at any pace.
    await world.database.channelPace.deleteMany();
    for (const id of ids) expect(await world.hastened(id)).toMatchObject({ status: 'completed', failedSteps: 0 });
    const attempts = await world.database.taskAttempt.count({ where: { taskId: { in: ids } } });
    expect(attempts).toBe((await refusals()).length + TASKS);
  });
});

it('a step whose files cannot be opened is over for its worker, too', async () => {
  const openFiles = () => {
    throw new Error('no files');
  };
  const worker = await world.startWorker({ wrap: (deps) => ({ ...deps, openFiles }) });
  await world.submit(world.label('without-files'));
  await until(async () => worker.logged.some(({ event }) => event === 'task.interrupted'), 'the step is over');
  const { values } = await worker.deps.metrics.inFlight.get();
  expect(values.map(({ value }) => value)).toEqual([0]);
});
