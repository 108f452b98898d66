import { timeOrderedId } from '@mediagate/contracts';
import { forAllTests, holdTransaction, runSql } from '@mediagate/testkit';
import { type Claim, writeIntent } from '../src';
import { ENDED, insertClaimed, insertKey, openRows, secondsFromNow } from './rows';

const rows = forAllTests(openRows);

/** A channel and a model of its own, both of that name, with so many places. */
function openChannel(places: number) {
  const channelId = timeOrderedId();
  const served = { channelId, models: [channelId], isTest: false, maxConcurrency: places };
  return {
    channelId,
    /** A task of the model in a worker's hands. */
    task: (keyId: string, more: Record<string, unknown> = {}) =>
      insertClaimed(rows.database, keyId, { model: channelId, ...more }),
    /** Under a lease: whoever waited before has been claimed again. */
    async begin(task: Claim) {
      await rows.database.task.update({ where: { id: task.id }, data: { leaseUntil: secondsFromNow(20) } });
      const attempt = { attemptId: `att_${task.id}`, channelId, protocol: 'p', maxConcurrency: places };
      return writeIntent(rows.database, task, attempt);
    },
    /** The task's attempt ends, and with it the task's work here. */
    end: (task: Claim) =>
      rows.database.giveUpAttempt(task, {
        attemptId: `att_${task.id}`,
        fault: 'upstream_fault',
        detail: 'it failed',
        requestIds: [],
        nextStepInMs: 600_000,
        triedChannels: [channelId],
        barredChannels: [],
        failedStep: true,
      }),
    handOver: async (database = rows.database) => (await database.handOverSlots(served)).map(({ id }) => id),
    /** The task's vendor is done, as its worker reports it. */
    answered: async ({ id, fence }: Claim) => {
      const answered = [{ attemptId: `att_${id}`, fence }];
      return (await rows.database.handOverSlots({ ...served, answered })).map((taker) => taker.id);
    },
  };
}

const AWAITED = { attemptId: undefined, barredChannels: [] as string[], nextStepInMs: 600_000 };
const wait = async (task: Claim) => (await rows.database.awaitSlot(task, AWAITED))[0]?.held;
const waiter = ({ id }: Claim) => rows.database.slotWaiter.findUnique({ where: { taskId: id } });
const isDue = async ({ id }: Claim) =>
  (await rows.database.task.findUniqueOrThrow({ where: { id } })).nextStepAt.getTime() <= Date.now() + 5_000;

describe('a slot of a full channel', () => {
  it('goes to the task that has waited longest, and to no newcomer before it', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const [running, first, second, newcomer] = await Promise.all([0, 1, 2, 3].map(() => channel.task(key)));
    if (!running || !first || !second || !newcomer) throw new Error('no tasks');
    expect(await channel.begin(running)).toBe('begun');
    for (const task of [first, second]) {
      expect(await channel.begin(task)).toBe('at_capacity');
      expect(await wait(task)).toBe(true);
      expect(await isDue(task)).toBe(false);
    }
    expect(await channel.handOver()).toEqual([]);

    await channel.end(running);
    expect(await channel.begin(newcomer)).toBe('at_capacity');
    expect(await channel.handOver()).toEqual([first.id]);
    expect(await isDue(first)).toBe(true);
    expect(await channel.begin(second)).toBe('at_capacity');
    expect(await wait(second)).toBe(true);
    expect(await channel.begin(first)).toBe('begun');
    expect(await waiter(first)).toBeNull();

    await channel.end(first);
    expect(await channel.handOver()).toEqual([second.id]);
    expect(await channel.begin(second)).toBe('begun');
    await channel.end(second);
    expect(await channel.begin(newcomer)).toBe('begun');
  });

  it('is handed over once, however many hand it over at the same time', async () => {
    const [channel, key] = [openChannel(3), await insertKey(rows.database)];
    const tasks = await Promise.all(Array.from({ length: 8 }, () => channel.task(key)));
    for (const task of tasks) await wait(task);
    const handed = await Promise.all(
      Array.from({ length: 12 }, (_, index) => channel.handOver(index % 2 ? rows.database : rows.other)),
    );
    const first = tasks.slice(0, 3).map(({ id }) => id);
    expect(handed.flat().sort()).toEqual(first.sort());
  });

  it('goes by turns: an account with many tasks takes one while others wait, a high class three', async () => {
    const [channel, many, few, high] = [
      openChannel(100),
      await insertKey(rows.database),
      await insertKey(rows.database),
      await insertKey(rows.database),
    ];
    await runSql(
      rows.database,
      "update accounts a set priority_class = 'high' from api_keys k where k.id = $1 and a.id = k.account_id",
      [high],
    );
    const order: string[] = [];
    const owner = new Map<string, string>();
    for (const [key, name, count] of [
      [many, 'many', 8],
      [high, 'high', 7],
      [few, 'few', 3],
    ] as const) {
      const tasks = await Promise.all(Array.from({ length: count }, () => channel.task(key)));
      for (const task of tasks) {
        owner.set(task.id, name);
        await wait(task);
      }
    }
    order.push(
      ...(
        await rows.database.slotWaiter.findMany({ where: { model: channel.channelId }, orderBy: [{ turnAt: 'asc' }] })
      ).map(({ taskId }) => owner.get(taskId) ?? ''),
    );
    expect(new Set(await channel.handOver()).size).toBe(18);
    // Each half minute takes one task of a normal account and three of a high one.
    expect(order.slice(0, 3).sort()).toEqual(['few', 'high', 'many']);
    expect(order.slice(3, 8).sort()).toEqual(['few', 'high', 'high', 'high', 'many']);
    expect(order.slice(8, 13).sort()).toEqual(['few', 'high', 'high', 'high', 'many']);
    expect(order.slice(13)).toEqual(Array.from({ length: 5 }, () => 'many'));
  });

  it('is kept for a while, and then goes to the next: who comes too late takes one of a later turn, or goes behind', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const [first, second, third] = [await channel.task(key), await channel.task(key), await channel.task(key)];
    for (const task of [first, second, third]) await wait(task);
    const lapse = (task: Claim) =>
      rows.database.slotWaiter.update({ where: { taskId: task.id }, data: { keptUntil: secondsFromNow(-1) } });
    expect(await channel.handOver()).toEqual([first.id]);
    expect(await channel.handOver()).toEqual([]);
    await rows.database.task.update({ where: { id: first.id }, data: { leaseUntil: secondsFromNow(20) } });
    await lapse(first);
    expect(await channel.handOver()).toEqual([second.id]);
    expect(await channel.begin(first)).toBe('begun');

    expect(await channel.begin(second)).toBe('at_capacity');
    await wait(second);
    await channel.end(first);
    expect(await channel.handOver()).toEqual([second.id]);
    await lapse(second);
    await wait(second);
    expect(await channel.handOver()).toEqual([third.id]);
  });

  it('goes on once the vendor is done, before the task ends: to one task, and reported by the holder of the task alone', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const [running, first, second] = [await channel.task(key), await channel.task(key), await channel.task(key)];
    expect(await channel.begin(running)).toBe('begun');
    for (const task of [first, second]) await wait(task);
    expect(await channel.answered({ ...running, fence: running.fence - 1 })).toEqual([]);
    expect(await channel.answered(running)).toEqual([first.id]);
    expect(await channel.answered(running)).toEqual([]);
    expect(await channel.begin(first)).toBe('begun');
    expect(await channel.handOver()).toEqual([]);
    await channel.end(running);
    expect(await channel.handOver()).toEqual([]);
    await channel.end(first);
    expect(await channel.handOver()).toEqual([second.id]);
  });

  it('is used again by a task whose worker died after its vendor was done, for the next one may call the vendor again', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const [running, first] = [await channel.task(key), await channel.task(key)];
    expect(await channel.begin(running)).toBe('begun');
    expect(await channel.answered(running)).toEqual([]);
    const taken = { ...running, fence: running.fence + 1 };
    await rows.database.task.update({ where: { id: running.id }, data: { fence: taken.fence } });
    expect(await channel.begin(first)).toBe('at_capacity');
    await wait(first);
    expect(await channel.handOver()).toEqual([]);
    expect(await channel.answered(taken)).toEqual([first.id]);
  });

  it('is not waited for where an attempt is just being ended', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const [running, next] = [await channel.task(key), await channel.task(key)];
    expect(await channel.begin(running)).toBe('begun');
    await wait(next);
    await holdTransaction(rows.other, async (transaction) => {
      await transaction.$queryRawUnsafe('select from task_attempts where id = $1 for update', `att_${running.id}`);
      expect(await channel.answered(running)).toEqual([]);
    });
    expect(await channel.answered(running)).toEqual([next.id]);
  });

  it('is given back by a task that cannot use it now, and kept by one that waits for the channel to be quick enough', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const [first, second] = [await channel.task(key), await channel.task(key)];
    for (const task of [first, second]) await wait(task);
    const busy = {
      attemptId: undefined,
      fault: 'not_accepted',
      detail: '',
      requestIds: [],
      nextStepInMs: 3000,
    } as const;
    const next = { ...busy, requestIds: [], triedChannels: [], barredChannels: [], failedStep: false };
    expect(await channel.handOver()).toEqual([first.id]);
    await rows.database.giveUpAttempt(first, { ...next, keepsSlot: true });
    expect(await channel.handOver()).toEqual([]);
    await rows.database.giveUpAttempt(first, next);
    expect(await channel.handOver()).toEqual([second.id]);
  });

  it('is not handed over while the channel rests, and then as its pace allows', async () => {
    const [channel, key] = [openChannel(10), await insertKey(rows.database)];
    const tasks = await Promise.all(Array.from({ length: 6 }, () => channel.task(key)));
    for (const task of tasks) await wait(task);
    const pace = { throttledAt: new Date(), strikes: 1, ceiling: 2, nextStartAt: new Date() };
    const row = { channelId: channel.channelId, coolingUntil: secondsFromNow(5), ...pace };
    await rows.database.channelPace.create({ data: row });
    expect(await channel.handOver()).toEqual([]);
    await rows.database.channelPace.update({
      where: { channelId: channel.channelId },
      data: { coolingUntil: secondsFromNow(-1) },
    });
    expect(await channel.handOver()).toHaveLength(2);
  });

  it('is free for a newcomer where those that wait cannot use it', async () => {
    const [channel, key] = [openChannel(2), await insertKey(rows.database)];
    const [ended, barred, late, newcomer] = [
      await channel.task(key),
      await channel.task(key),
      await channel.task(key),
      await channel.task(key),
    ];
    for (const task of [ended, barred, late]) await wait(task);
    const change = (task: Claim, data: object) => rows.database.task.update({ where: { id: task.id }, data });
    await change(ended, ENDED);
    await change(barred, { barredChannels: [channel.channelId] });
    expect(await channel.begin(newcomer)).toBe('at_capacity');
    await change(late, { deadlineAt: secondsFromNow(-1) });
    expect(await channel.begin(newcomer)).toBe('begun');
  });

  it('is not held up by tasks that ended, or that cannot use it', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const [ended, barred, next] = [await channel.task(key), await channel.task(key), await channel.task(key)];
    for (const task of [ended, barred, next]) await wait(task);
    await rows.database.task.update({ where: { id: ended.id }, data: ENDED });
    await rows.database.task.update({ where: { id: barred.id }, data: { barredChannels: [channel.channelId] } });
    expect(await channel.handOver()).toEqual([next.id]);
    await rows.database.forgetSlotTakers();
    expect(await waiter(ended)).toBeNull();
    expect(await waiter(barred)).not.toBeNull();
  });

  it('is left alone by a claim that is old', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const task = await channel.task(key, { fence: 8 });
    expect(await wait(task)).toBe(false);
    expect(await waiter(task)).toBeNull();
  });

  it('gives each of the tasks that begin to wait at once a turn of its own', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const tasks = await Promise.all(Array.from({ length: 10 }, () => channel.task(key)));
    await Promise.all(tasks.map(wait));
    const turns = await rows.database.slotWaiter.findMany({
      where: { model: channel.channelId },
      orderBy: { turnAt: 'asc' },
    });
    const apartMs = turns.slice(1).map(({ turnAt }, index) => turnAt.getTime() - (turns[index]?.turnAt.getTime() ?? 0));
    expect(apartMs).toEqual(Array.from({ length: 9 }, () => 30_000));
  });

  it('is awaited at the cost of few rows, however many tasks of other models the account has there', async () => {
    const [channel, key] = [openChannel(1), await insertKey(rows.database)];
    const task = await channel.task(key);
    const others = `insert into slot_waiters (task_id, account_id, family, model, is_test, turn_at)
      select 'task_' || i, t.account_id, t.family, 'other-' || i % 9, t.is_test, now() + i * interval '1 second'
      from tasks t, generate_series(1, 2000) i where t.id = $1`;
    await runSql(rows.database, others, [task.id]);
    await runSql(rows.database, 'analyze slot_waiters');
    const read = `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'slot_waiters'`;
    const [before, after] = await holdTransaction(rows.database, async (transaction) => {
      const rowsRead = async () => (await transaction.$queryRawUnsafe<{ rows: number }[]>(read))[0]?.rows ?? 0;
      const before = await rowsRead();
      await transaction.$queryRawUnsafe('select await_slot($1, 7, null, $2, 600)', task.id, []);
      return [before, await rowsRead()];
    });
    await runSql(rows.database, `delete from slot_waiters where model like 'other-%'`);
    expect(after - before).toBeLessThan(20);
  });
});
