import { audit, createFinisher, keepEnd, type ProvisionalEnd, readAccountBalance, taskError } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { renewSubmitterLeases } from '@mediagate/tasks';
import { forEachTest, withMethods } from '@mediagate/testkit';
import { openWorld, secondsFromNow } from './world';

const world = forEachTest(openWorld);
afterEach(async () => {
  expect(await audit(world.database)).toEqual([]);
  await world.close();
});

const LEASE_MS = 60_000;
const TEXT = { family: 'text', kind: 'text', operation: 'text.generate' } as const;
const AT_ONCE = { lapsedForMs: 0 };
const NEVER = { lapsedForMs: 3_600_000 };

const jobOf = (database: Database, { lapsedForMs }: { lapsedForMs: number }) =>
  world.reconciler({ database, abandonedAfterMs: lapsedForMs }).endAbandonedTasks;
const read = (id: TaskId) => world.database.task.findUniqueOrThrow({ where: { id } });
/** A task as its process left it when it was killed. */
const abandoned = () => world.submit({ runsHere: { leaseMs: LEASE_MS } }, { leaseUntil: secondsFromNow(-1) });

/** Resolves in a later millisecond of the clock that jobs go by. */
async function later(): Promise<void> {
  for (const now = performance.now(); performance.now() < now + 2; )
    await new Promise((resolve) => setImmediate(resolve));
}

describe('end-abandoned-tasks', () => {
  it('fails and refunds what a dead process ran, once in two instances at once', async () => {
    const before = await readAccountBalance(world.database, world.accountId);
    const ids = await Promise.all(Array.from({ length: 20 }, abandoned));
    const results = await Promise.all(
      [jobOf(world.database, AT_ONCE), jobOf(world.other, AT_ONCE)].map((d) => d.run()),
    );
    expect(results.reduce((sum, { done }) => sum + done, 0)).toBe(20);
    for (const id of ids) {
      expect(await read(id)).toMatchObject({
        status: 'failed',
        costNano: 0n,
        leaseUntil: null,
        error: { message: 'The task could not be completed.', type: 'task_failed' },
      });
    }
    expect(await readAccountBalance(world.database, world.accountId)).toEqual(before);
  });

  describe('of what its process knew of the use of a task', () => {
    /** Abandoned once its process had renewed its lease. */
    async function abandonedWith(end: ProvisionalEnd | string): Promise<TaskId> {
      const taskId = await world.submit({ ...TEXT, runsHere: { leaseMs: LEASE_MS } });
      const keptEnd = () => (typeof end === 'string' ? null : keepEnd(end));
      await renewSubmitterLeases(world.database, [{ taskId, keptEnd }], LEASE_MS);
      const former = typeof end === 'string' && { endIfAbandoned: JSON.parse(end) };
      await world.database.task.update({ where: { id: taskId }, data: { leaseUntil: secondsFromNow(-1), ...former } });
      return taskId;
    }
    const used = (costNano: bigint, more: Partial<ProvisionalEnd> = {}): ProvisionalEnd => ({
      outcome: { kind: 'completed', costNano, units: { text_output: 2_000_000_000n }, usage: { output_tokens: 2 } },
      ...more,
    });
    const settledBy = async () =>
      (await world.database.account.findUniqueOrThrow({ where: { id: world.accountId } })).settledNano;

    it('settles that, with its call, as of the renewal', async () => {
      const now = performance.now();
      const call = { channelId: 'main', protocol: 'gemini', state: 'unknown', detail: 'this process ended' } as const;
      const cost = { nano: 7n, origin: 'declared' } as const;
      const calls = [{ ...call, cost, usage: { outputTokens: 2 }, beganAt: now - 9_000, endedAt: now }];
      const id = await abandonedWith(used(3_000n, { calls }));
      expect(await jobOf(world.database, AT_ONCE).run()).toMatchObject({ done: 1 });
      expect(await read(id)).toMatchObject({
        status: 'completed',
        costNano: 3_000n,
        usage: { output_tokens: 2 },
        endIfAbandoned: null,
        channelId: 'main',
      });
      expect(await settledBy()).toBe(3_000n);
      const [attempt, ...others] = await world.database.taskAttempt.findMany({ where: { taskId: id } });
      expect(others).toEqual([]);
      expect(attempt).toMatchObject({ ...call, costNano: 7n, usage: { outputTokens: 2 } });
      expect((attempt?.endedAt?.getTime() ?? 0) - (attempt?.startedAt.getTime() ?? 0)).toBe(9_000);
      expect(await world.database.reservation.findUniqueOrThrow({ where: { taskId: id } })).toMatchObject({
        state: 'settled',
        units: { text_output: '2000000000' },
      });
    });

    it('charges no more than was reserved, and writes the rest down as a loss', async () => {
      const id = await abandonedWith(used(5_004n));
      await jobOf(world.database, AT_ONCE).run();
      expect(await settledBy()).toBe(5_000n);
      expect(await world.database.overrun.findMany()).toMatchObject([{ taskId: id, amountNano: 4n }]);
    });

    it.each<[string, ProvisionalEnd | string]>([
      ['nothing is to be paid', { outcome: { kind: 'failed', error: taskError('internal_error') }, calls: [] }],
      ['it is in the form of another release', '{"form":1,"settled":{"costNano":"1"},"calls":{}}'],
    ])('refunds where %s', async (_why, end) => {
      const id = await abandonedWith(end);
      expect(await jobOf(world.database, AT_ONCE).run()).toMatchObject({ done: 1 });
      expect(await read(id)).toMatchObject({ status: 'failed', costNano: 0n, error: { reason: 'internal_error' } });
      expect(await settledBy()).toBe(0n);
    });
  });

  it('keeps a frozen process from settling what it ended, when that resumes', async () => {
    const before = await readAccountBalance(world.database, world.accountId);
    const id = await abandoned();
    expect(await jobOf(world.database, AT_ONCE).run()).toMatchObject({ done: 1 });
    const late = {
      taskId: id,
      accountId: world.accountId,
      fence: 0,
      outcome: { kind: 'completed', costNano: 1_000n },
    } as const;
    expect(await createFinisher(world.other)(late)).toMatchObject({ won: false });
    expect((await read(id)).status).toBe('failed');
    expect(await readAccountBalance(world.database, world.accountId)).toEqual(before);
  });

  it('waits before it gives a process up, which may renew its leases meanwhile', async () => {
    const [dead, alive] = [await abandoned(), await abandoned()];
    const patient = jobOf(world.database, NEVER);
    const job = jobOf(world.database, { lapsedForMs: 1 });
    for (let times = 0; times < 2; times += 1) expect(await patient.run()).toMatchObject({ done: 0 });
    expect(await job.run()).toMatchObject({ done: 0 });
    await renewSubmitterLeases(world.other, [{ taskId: alive, keptEnd: () => null }], LEASE_MS);
    await later();
    expect(await job.run()).toMatchObject({ done: 1 });
    expect((await read(dead)).status).toBe('failed');
    expect((await read(alive)).status).toBe('processing');
  });

  it('begins to wait anew after an outage of the database, in which nobody could renew', async () => {
    await abandoned();
    let isAway = false;
    const findAbandonedTasks: Database['findAbandonedTasks'] = (limit) =>
      isAway ? Promise.reject(new Error('away')) : world.database.findAbandonedTasks(limit);
    const job = jobOf(withMethods(world.database, { findAbandonedTasks }), { lapsedForMs: 1 });
    expect(await job.run()).toMatchObject({ done: 0 });
    isAway = true;
    await expect(job.run()).rejects.toThrow('away');
    isAway = false;
    await later();
    expect(await job.run()).toMatchObject({ done: 0 });
    await later();
    expect(await job.run()).toMatchObject({ done: 1 });
  });
});
