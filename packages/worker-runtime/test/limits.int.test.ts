import type { TaskId } from '@mediagate/contracts';
import type { WorkerDeps } from '../src/worker-deps';
import { smallPng } from './generic-upstream/png';
import type { JournalEntry } from './generic-upstream/script';
import { until } from './world/until';
import { openWorld, type World } from './world/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
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

async function throttled(keyId: string): Promise<number> {
  const tasks = await world.database.task.findMany({ where: { keyId, status: 'submitted' } });
  return tasks.filter(({ nextStepAt, createdAt }) => nextStepAt > createdAt).length;
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

describe('a key with max_concurrent', () => {
  it('never runs more tasks than it may; the others stay submitted', async () => {
    const payer = await world.newPayer({ maxConcurrent: 2 });
    const labels = Array.from({ length: 8 }, () => world.label('keyed'));
    const endOther = await twoWorkers();
    await world.upstream.instruct('never', { checks: ['running'] });
    const tasks = await Promise.all(labels.map((label) => world.submit(label, { payer })));
    const count = (status: string) => world.database.task.count({ where: { keyId: payer.keyId, status } });
    await until(async () => (await count('processing')) === 2, 'two tasks run');
    await until(async () => (await throttled(payer.keyId)) === 6, 'the others were looked at and put off');
    expect(await count('submitted')).toBe(6);

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

  it('leaves the tasks of other keys and families alone', async () => {
    const payer = await world.newPayer({ maxConcurrent: 1 });
    await world.startWorker();
    const [first, second] = [world.label('first'), world.label('second')];
    await world.upstream.instruct(first, { checks: ['running'] });
    await world.upstream.instruct(second, { checks: ['running'] });
    const running = await world.submit(first, { payer });
    await until(async () => (await world.task(running)).status === 'processing', 'the first one runs');
    const held = await world.submit(second, { payer });
    expect(await world.ended(await world.submit(world.label('free')))).toMatchObject({ status: 'completed' });
    expect(await world.task(held)).toMatchObject({ status: 'submitted', attemptsMade: 0 });
    await world.upstream.instruct(first, {});
    await world.upstream.instruct(second, {});
    await allCompleted([running, held]);
  });
});

describe('the files of a task that waits for a full channel', () => {
  const imageUrl = `data:image/png;base64,${smallPng().toString('base64')}`;

  /** A channel with one job, and a worker that counts how often files are loaded, and how many of them were known. */
  async function fullChannel({ seemsToHaveSlot }: { seemsToHaveSlot: boolean }) {
    const channel = world.label('full');
    const loads = { all: 0, known: 0 };
    const wrap = (deps: WorkerDeps): WorkerDeps => ({
      ...deps,
      writes: { ...deps.writes, ...(seemsToHaveSlot ? { hasSlot: async () => true } : {}) },
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
    // What was under way in both workers as the first refusal came, and a few calls after 1 and 2 seconds.
    expect(all.length).toBeLessThanOrEqual(2 * CONCURRENCY + 4);
    await world.upstream.instruct(channel, {});
    // As if the minute had passed after which it goes at any pace.
    await world.database.channelPace.deleteMany();
    for (const id of ids) expect(await world.hastened(id)).toMatchObject({ status: 'completed', failedSteps: 0 });
    const attempts = await world.database.taskAttempt.count({ where: { taskId: { in: ids } } });
    expect(attempts).toBe((await refusals()).length + TASKS);
  });
});
