import { timeOrderedId } from '@mediagate/contracts';
import { MARGIN_GROUPS } from '@mediagate/database';
import { type Claim, writeIntent } from '@mediagate/tasks';
import { forAllTests } from '@mediagate/testkit';
import { audit, createFinisher, createSubmitter, readMargin, taskError } from '../src';
import { fundedKey, openBooks, type Payer, submission } from './books';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const VENDORS = new Map([
  ['main', 'one'],
  ['second', 'one'],
  ['other', 'two'],
]);
const RANGE = () => ({ from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) });

const books = forAllTests(openBooks);
afterEach(async () => {
  expect(await audit(books.database)).toEqual([]);
});

/** A task whose first attempt the vendor took, or did not, and that then moved on. */
async function movedOn(payer: Payer, { accepted }: { accepted: boolean }): Promise<{ task: Claim; next: string }> {
  const { database } = books;
  const { taskId } = submission(payer, 100n);
  await createSubmitter(database)({ ...submission(payer, 100n), taskId });
  await database.task.update({ where: { id: taskId }, data: { fence: 7, leaseUntil: new Date(Date.now() + 60_000) } });
  const task = { id: taskId, fence: 7 };
  const [attemptId, next] = [`att_${timeOrderedId()}`, `att_${timeOrderedId()}`];
  const channel = { channelId: 'first', protocol: 'p', maxConcurrency: undefined };
  expect(await writeIntent(database, task, { attemptId, ...channel })).toBe('begun');
  const operation = { attemptId, externalId: attemptId, operation: {}, requestIds: [], nextStepInMs: 0 };
  if (accepted) expect(await database.saveOperation(task, operation)).toBe(true);
  const fault = { fault: 'upstream_fault' as const, detail: 'lost it', requestIds: [], nextStepInMs: 0 };
  const step = { triedChannels: ['first'], barredChannels: [], failedStep: true };
  expect(await database.giveUpAttempt(task, { attemptId, ...fault, ...step })).toBe(true);
  return { task, next };
}

const costOf = async ({ id: taskId }: Claim) =>
  (await books.database.reservation.findUniqueOrThrow({ where: { taskId } })).costNano;

describe('what vendors charge for an attempt that moved on', () => {
  it.each([
    [true, null],
    [false, 0n],
  ])('is what is known: accepted %s, of the task %s', async (accepted, costNano) => {
    const payer = await fundedKey(books.database, 1_000n);
    const { task } = await movedOn(payer, { accepted });
    expect(await books.database.taskAttempt.findFirstOrThrow({ where: { taskId: task.id } })).toMatchObject({
      costNano,
    });
    const outcome = { kind: 'failed', error: taskError('no_upstream') } as const;
    await createFinisher(books.database)({ taskId: task.id, accountId: payer.accountId, fence: 'any', outcome });
    expect(await costOf(task)).toBe(costNano);
  });

  it.each([
    [true, null],
    [false, 30n],
  ])('makes the cost of the task unknown where it is: accepted %s, then one of 30', async (accepted, costNano) => {
    const payer = await fundedKey(books.database, 1_000n);
    const { task, next } = await movedOn(payer, { accepted });
    await books.database.task.update({ where: { id: task.id }, data: { leaseUntil: new Date(Date.now() + 60_000) } });
    const channel = { channelId: 'second', protocol: 'p', maxConcurrency: undefined };
    expect(await writeIntent(books.database, task, { attemptId: next, ...channel })).toBe('begun');
    const cost = { nano: 30n, origin: 'declared' } as const;
    const attempt = { id: next, state: 'succeeded' as const, requestIds: [], cost };
    const outcome = { kind: 'completed', costNano: 50n, result: {} } as const;
    await createFinisher(books.database)({ taskId: task.id, accountId: payer.accountId, fence: 7, outcome, attempt });
    expect(await costOf(task)).toBe(costNano);
  });
});

describe('the margin', () => {
  it('is told though a vendor reported more than the books can hold, and so is what channels cost', async () => {
    const paying = await fundedKey(books.database, 1000n);
    const most = 2n ** 63n - 1n;
    const [huge, usual] = [submission(paying, 10n), submission(paying, 10n)];
    await Promise.all([huge, usual].map(createSubmitter(books.database)));
    const call = { protocol: 'p', channelId: 'huge', state: 'succeeded', beganAt: 0, endedAt: 1 } as const;
    const finish = createFinisher(books.database);
    for (const [{ taskId }, nano] of [[huge, most] as const, [usual, 1n] as const]) {
      const outcome = { kind: 'completed', costNano: 1n, result: {} } as const;
      await finish({
        taskId,
        accountId: paying.accountId,
        fence: 'any',
        outcome,
        calls: [{ ...call, cost: { nano, origin: 'declared' } }],
      });
    }
    const report = await readMargin(books.database, { ...RANGE(), vendors: VENDORS, groupBy: ['channel'] });
    expect(report.kind === 'report' && report.rows.find(({ values }) => values[0] === 'huge')?.costNano).toBe(most);
    const channels = await books.database.sumChannelAttempts({ sinceMs: DAY_MS, limit: 1000 });
    expect(channels.find(({ channelId }) => channelId === 'huge')?.costNano).toBe(most);
  });

  it('of one channel looks no further back than that of every channel', async () => {
    const paying = await fundedKey(books.database, 1000n);
    const finish = createFinisher(books.database);
    for (const channelId of ['older', 'newer']) {
      const task = submission(paying, 10n);
      await createSubmitter(books.database)(task);
      const outcome = { kind: 'completed', costNano: 1n, result: {} } as const;
      const call = { protocol: 'p', channelId, state: 'succeeded', beganAt: 0, endedAt: 1 } as const;
      await finish({ taskId: task.taskId, accountId: paying.accountId, fence: 'any', outcome, calls: [call] });
    }
    const sum = (channelId: string, limit: number) =>
      books.database.sumChannelAttempts({ sinceMs: DAY_MS, limit, channelId });
    expect(await sum('newer', 1)).toMatchObject([{ channelId: 'newer', attempts: 1 }]);
    expect(await sum('older', 1)).toEqual([]);
    expect(await sum('older', 2)).toMatchObject([{ channelId: 'older', attempts: 1 }]);
  });

  it('stays when its tasks are pruned', async () => {
    const report = () => readMargin(books.database, { ...RANGE(), vendors: VENDORS, groupBy: MARGIN_GROUPS });
    const before = await report();
    expect(before).toMatchObject({ kind: 'report', total: { tasks: expect.any(Number) } });
    expect(await books.database.pruneTasks(-DAY_MS, 10_000)).not.toHaveLength(0);
    expect(await books.database.taskAttempt.count()).toBe(0);
    expect(await report()).toEqual(before);
  });

  it('says so where it is of more than it sums up', async () => {
    const request = { ...RANGE(), vendors: VENDORS, groupBy: ['account', 'model'] } as const;
    const tasks = await books.database.reservation.count({ where: { isTest: false } });
    const read = (limits: object) => readMargin(books.database, request, limits);
    expect(await read({ maxTasks: tasks - 1 })).toEqual({ kind: 'too_many_tasks', limit: tasks - 1 });
    expect(await read({ maxTasks: tasks })).toMatchObject({ kind: 'report', total: { tasks } });
    expect(await read({ maxGroups: 1 })).toEqual({ kind: 'too_many_groups', limit: 1 });
  });
});
