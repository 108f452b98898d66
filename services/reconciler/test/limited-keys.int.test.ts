import { cancelUnpaid, createFinisher } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import type { SlotsOfKey } from '@mediagate/database';
import { changeKey, createKey, endKey } from '@mediagate/identity';
import { claimTask } from '@mediagate/tasks';
import { forEachTest, holdTransaction, withMethods } from '@mediagate/testkit';
import type { Jobs } from '../src/create-jobs';
import { openWorld, secondsFromNow } from './world';

const BY = { actor: 'cli:test' };
const LEASE_MS = 60_000;
const WAITS_FOR_ITS_CALLER = Object.fromEntries([['parked', true]]);

let keyId: string;
/** A process that dispatches, from one look to the next. */
let dispatcher: Jobs['dispatchTasks'];
const world = forEachTest(openWorld);
beforeEach(async () => {
  dispatcher = world.reconciler().dispatchTasks;
  keyId = await makeKey(2);
});
afterEach(() => world.close());

async function makeKey(maxConcurrent: number | null): Promise<string> {
  const { accountId } = world;
  return (await createKey(world.database, 'a pepper for tests only', { accountId, maxConcurrent })).id;
}

/** Submits tasks as the API does, one after the other. */
async function submitMany(count: number, ofKey = keyId): Promise<TaskId[]> {
  const ids: TaskId[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push(await world.submit({ keyId: ofKey, queuesForSlot: true }, { createdAt: secondsFromNow(index - 3600) }));
  return ids;
}

/** Submitted long enough ago for the dispatcher. */
async function settle(): Promise<void> {
  const due = { status: 'submitted', awaitsKeySlot: false };
  await world.database.task.updateMany({ where: due, data: { nextStepAt: secondsFromNow(-10) } });
}

const claim = (id: TaskId) => claimTask(world.database, id, LEASE_MS);
const dispatch = async () => {
  await settle();
  return dispatcher.run();
};
const jobsOf = (ids: readonly TaskId[]) => ids.map((id) => `${id}-0`).sort();
const awaiting = () => world.database.task.count({ where: { status: 'submitted', awaitsKeySlot: true } });
const key = () => ({ keyId, family: 'image' }) as const;

async function claimAll(ids: readonly TaskId[]): Promise<void> {
  for (const id of ids) expect(await claim(id)).toMatchObject({ kind: 'claimed' });
}

describe('queued tasks of a key with max_concurrent', () => {
  it('are 400 rows with two jobs in Redis, each enqueued once and claimed at its first job', async () => {
    const tasks: TaskId[] = [];
    while (tasks.length < 400) {
      const together = Array.from({ length: 50 }, () => world.submit({ keyId, queuesForSlot: true }));
      tasks.push(...(await Promise.all(together)));
    }
    expect(await awaiting()).toBe(398);
    let taken: TaskId[] = [];
    for (let ended = 0; ended < 20; ended += 2) {
      await dispatch();
      const jobs = await world.jobs('image');
      expect(jobs).toHaveLength(2);
      expect((await world.queues.counts()).find(({ name }) => name === 'image')).toMatchObject({ delayed: 0 });
      taken = await world.work('image', 2);
      expect(jobs).toEqual(jobsOf(taken));
      await claimAll(taken);
      for (const id of taken) await world.fail(id);
    }
    expect(await awaiting()).toBe(tasks.length - 20);
  });

  it('begin in the order in which they came, and none passes those that await a slot', async () => {
    const tasks = await submitMany(5);
    await claimAll(tasks.slice(0, 2));
    await world.fail(tasks[0] as TaskId);
    // The slot is free and nobody has handed it over: it is not the newcomer's.
    const newcomer = await world.submit({ keyId, queuesForSlot: true });
    expect(await world.database.handOverKeySlots(key())).toMatchObject([{ id: tasks[2], fence: 0 }]);
    expect(await world.database.task.findUnique({ where: { id: newcomer } })).toMatchObject({ awaitsKeySlot: true });
  });

  it('leave the other keys of their account their turns', async () => {
    await submitMany(30);
    const others = await submitMany(5, await makeKey(null));
    await dispatch();
    expect(await world.jobs('image')).toEqual(expect.arrayContaining(jobsOf(others)));
  });

  it('are given no more slots than there are, by two processes at once', async () => {
    const tasks = await submitMany(12);
    for (const id of tasks.slice(0, 2)) await world.fail(id);
    const [one, two] = await Promise.all([world.database, world.other].map((by) => by.handOverKeySlots(key())));
    expect([...(one ?? []), ...(two ?? [])]).toHaveLength(2);
    expect(await world.database.handOverKeySlots(key())).toEqual([]);
  });

  it('keep a slot while they wait for a slot of a channel', async () => {
    const [first = newId(), second = newId()] = await submitMany(4);
    await claimAll([first, second]);
    const waits = { attemptId: undefined, barredChannels: [], nextStepInMs: 600_000 };
    expect(await world.database.awaitSlot({ id: first, fence: 1 }, waits)).toEqual([{ held: true }]);
    expect(await world.database.handOverKeySlots(key())).toEqual([]);
    expect(await awaiting()).toBe(2);
  });
});

describe('a slot of a key that nobody hands over', () => {
  it.each<[string, (id: TaskId) => Promise<unknown>]>([
    ['whose task ended as its worker died', (id) => world.fail(id)],
    ['whose task was cancelled before it began', (id) => cancel(id)],
    [
      'whose task waits for its caller',
      (id) => world.database.task.update({ where: { id }, data: { ...WAITS_FOR_ITS_CALLER, status: 'pending' } }),
    ],
    ['whose task was past its deadline', (id) => expire(id)],
  ])('%s is found by the next look', async (_, free) => {
    const tasks = await submitMany(4);
    await free(tasks[0] as TaskId);
    await dispatch();
    expect(await awaiting()).toBe(1);
    expect(await world.jobs('image')).toEqual(jobsOf(tasks.slice(1, 3)));
  });

  it('and whose hand-over was committed by a process that died before it enqueued is enqueued once', async () => {
    const tasks = await submitMany(3);
    await dispatch();
    await world.work('image', 2);
    await claimAll(tasks.slice(0, 2));
    await world.fail(tasks[0] as TaskId);
    await world.database.handOverKeySlots(key());
    await world.forgetLeases();
    await world.otherReconciler().dispatchTasks.run();
    expect(await world.jobs('image')).toEqual(jobsOf(tasks.slice(2)));
    await world.forgetLeases();
    expect(await dispatcher.run()).toMatchObject({ done: 0 });
  });

  it('waits in a look for one key whose row is held, and for the others in the looks after it', async () => {
    const held = [await makeKey(1), await makeKey(1), await makeKey(1)];
    for (const id of held) {
      const [blocked = newId()] = await submitMany(2, id);
      await world.fail(blocked);
    }
    const tasks = await submitMany(3);
    await world.fail(tasks[0] as TaskId);
    const refused: string[] = [];
    const handOverKeySlots = (of: SlotsOfKey) =>
      world.database.handOverKeySlots(of).catch((error: unknown) => {
        refused.push(of.keyId);
        throw error;
      });
    dispatcher = world.reconciler({ database: withMethods(world.database, { handOverKeySlots }) }).dispatchTasks;
    await holdTransaction(world.other, async (transaction) => {
      await transaction.apiKey.updateMany({ where: { id: { in: held } }, data: { name: 'held' } });
      for (const _ of [...held, keyId]) {
        await dispatch();
        expect(refused.splice(0).length).toBeLessThanOrEqual(1);
      }
    });
    expect(await world.jobs('image')).toEqual(jobsOf(tasks.slice(1)));
    await dispatch();
    expect(await awaiting()).toBe(0);
  });
});

describe('while tasks await slots of their key', () => {
  it('a higher limit begins as many more with the next look, and none begins all', async () => {
    const tasks = await submitMany(8);
    await dispatch();
    await changeKey(world.database, { id: keyId, settings: { maxConcurrent: 5 } }, BY);
    await dispatch();
    expect(await world.jobs('image')).toEqual(jobsOf(tasks.slice(0, 5)));
    await changeKey(world.database, { id: keyId, settings: { maxConcurrent: null } }, BY);
    await dispatch();
    expect(await world.jobs('image')).toEqual(jobsOf(tasks));
  });

  it('a lower limit keeps back what has not begun, which begins once there is a slot', async () => {
    const tasks = await submitMany(4);
    await claim(tasks[0] as TaskId);
    await changeKey(world.database, { id: keyId, settings: { maxConcurrent: 1 } }, BY);
    expect(await claim(tasks[1] as TaskId)).toEqual({ kind: 'not_claimable' });
    expect(await awaiting()).toBe(3);
    await dispatch();
    expect(await world.jobs('image')).toEqual([]);
    await world.fail(tasks[0] as TaskId);
    await dispatch();
    expect(await world.jobs('image')).toEqual(jobsOf(tasks.slice(1, 2)));
  });

  it('a limit that a key gets with a backlog leaves in rows what it does not allow', async () => {
    const free = await makeKey(null);
    const tasks = await submitMany(40, free);
    await changeKey(world.database, { id: free, settings: { maxConcurrent: 3 } }, BY);
    await dispatch();
    expect(await world.jobs('image')).toEqual(jobsOf(tasks.slice(0, 3)));
    expect(await awaiting()).toBe(37);
    await claimAll(tasks.slice(0, 3));
  });

  it('a key that is revoked has them end as it would any other', async () => {
    const tasks = await submitMany(3);
    await endKey(world.database, keyId, BY);
    await world.fail(tasks[0] as TaskId);
    await dispatch();
    expect(await world.jobs('image')).toEqual(jobsOf(tasks.slice(1)));
    await claimAll(tasks.slice(1));
  });

  it('one that is cancelled, or past its deadline, is refunded and frees no slot', async () => {
    const tasks = await submitMany(6);
    expect(await cancel(tasks[2] as TaskId)).toMatchObject({ won: true });
    await expire(tasks[3] as TaskId);
    await dispatch();
    expect(await world.jobs('image')).toEqual(jobsOf(tasks.slice(0, 2)));
    expect(await awaiting()).toBe(2);
    await expect(world.database.reservation.count({ where: { state: 'refunded' } })).resolves.toBe(2);
  });

  it('one that an operator retries keeps to the limit', async () => {
    const tasks = await submitMany(3);
    await claimAll(tasks.slice(0, 2));
    expect(await world.database.retryTask(tasks[2] as TaskId, BY)).toMatchObject({ kind: 'changed' });
    expect(await claim(tasks[2] as TaskId)).toEqual({ kind: 'not_claimable' });
    expect(await awaiting()).toBe(1);
  });

  it('Redis may lose everything: they go on to await, and those with a slot are enqueued again', async () => {
    const tasks = await submitMany(6);
    await dispatch();
    await world.forgetLeases();
    const { queues, jobs } = world.withEmptyRedis();
    await world.reconciler({ queues }).dispatchTasks.run();
    expect(await jobs('image')).toEqual(jobsOf(tasks.slice(0, 2)));
    expect(await awaiting()).toBe(4);
  });
});

const newId = (): TaskId => {
  throw new Error('too few tasks');
};

const cancel = (taskId: TaskId) => cancelUnpaid(createFinisher(world.database), { taskId, accountId: world.accountId });

async function expire(id: TaskId): Promise<void> {
  await world.database.task.update({ where: { id }, data: { deadlineAt: secondsFromNow(-1) } });
  expect(await world.reconciler().expireTasks.run()).toMatchObject({ done: 1 });
}
