import { type TaskId, timeOrderedId } from '@mediagate/contracts';
import { MARGIN_GROUPS } from '@mediagate/database';
import { type Claim, createStepWrites } from '@mediagate/tasks';
import { forAllTests } from '@mediagate/testkit';
import fc from 'fast-check';
import {
  audit,
  createFinisher,
  createSubmitter,
  type FinishRequest,
  readMargin,
  type Submission,
  taskError,
} from '../src';
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

interface Example {
  model: string;
  channel: string | undefined;
  outcome: 'completed' | 'failed' | 'open';
  charge: number;
  /** Undefined: not known. */
  cost: number | undefined;
  refund: boolean;
  isTest: boolean;
}

const example: fc.Arbitrary<Example> = fc.record({
  model: fc.constantFrom('a', 'b'),
  channel: fc.constantFrom('main', 'second', 'other', undefined),
  outcome: fc.constantFrom('completed', 'completed', 'failed', 'open'),
  charge: fc.integer({ min: 1, max: 100 }),
  cost: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined, freq: 3 }),
  refund: fc.boolean(),
  isTest: fc.boolean(),
});

/** The sums of one task of the example, by the rules of docs/operators.md. */
function expected({ channel, outcome, charge, cost, refund }: Example) {
  const isCompleted = outcome === 'completed';
  const known = outcome === 'open' || channel === undefined ? 0 : cost;
  return {
    tasks: 1,
    completed: isCompleted ? 1 : 0,
    failed: outcome === 'failed' ? 1 : 0,
    chargedNano: isCompleted ? BigInt(charge) : 0n,
    refundedNano: isCompleted && refund ? BigInt(charge) : 0n,
    costNano: BigInt(known ?? 0),
    costUnknown: known === undefined ? 1 : 0,
  };
}

type Sums = ReturnType<typeof expected>;

function sumUp(examples: readonly Example[]): Sums {
  const nothing = {
    tasks: 0,
    completed: 0,
    failed: 0,
    chargedNano: 0n,
    refundedNano: 0n,
    costNano: 0n,
    costUnknown: 0,
  };
  return examples.map(expected).reduce(
    (sum, each) => ({
      tasks: sum.tasks + each.tasks,
      completed: sum.completed + each.completed,
      failed: sum.failed + each.failed,
      chargedNano: sum.chargedNano + each.chargedNano,
      refundedNano: sum.refundedNano + each.refundedNano,
      costNano: sum.costNano + each.costNano,
      costUnknown: sum.costUnknown + each.costUnknown,
    }),
    nothing,
  );
}

async function play(payers: { paying: Payer; testing: Payer }, examples: readonly Example[]): Promise<void> {
  const items = examples.map((each) => {
    const more = { model: each.model, isTest: each.isTest };
    return submission(each.isTest ? payers.testing : payers.paying, each.isTest ? 0n : 100n, more);
  });
  await Promise.all(items.map(createSubmitter(books.database)));
  const finish = createFinisher(books.database);
  const ends = examples.flatMap((each, index): FinishRequest[] => {
    const item = items[index] as Submission;
    return each.outcome === 'open' ? [] : [endOf(item, each)];
  });
  expect((await Promise.all(ends.map(finish))).every(({ won }) => won)).toBe(true);
  const refunded = examples.flatMap((each, index) =>
    each.refund && !each.isTest && each.outcome === 'completed' ? [items[index]?.taskId as TaskId] : [],
  );
  for (const taskId of refunded) await books.database.refundTask({ taskId, note: 'test' }, { actor: 'test' });
}

function endOf({ taskId, accountId }: Submission, { channel, outcome, charge, cost, isTest }: Example): FinishRequest {
  const costNano = isTest ? 0n : BigInt(charge);
  const known = cost === undefined ? {} : { cost: { nano: BigInt(cost), origin: 'declared' } as const };
  const refused = { protocol: 'p', channelId: 'first', state: 'refused', beganAt: 0, endedAt: 1 } as const;
  const calls =
    channel === undefined ? [] : [refused, { ...refused, ...known, channelId: channel, state: 'unknown' } as const];
  const error = taskError('upstream_error');
  return {
    taskId,
    accountId,
    fence: 'any',
    outcome: outcome === 'completed' ? { kind: 'completed', costNano, result: {} } : { kind: 'failed', error },
    calls,
  };
}

/** A task whose first attempt the vendor took, or did not, and that then moved on. */
async function movedOn(payer: Payer, { accepted }: { accepted: boolean }): Promise<{ task: Claim; next: string }> {
  const { database } = books;
  const { taskId } = submission(payer, 100n);
  await createSubmitter(database)({ ...submission(payer, 100n), taskId });
  await database.task.update({ where: { id: taskId }, data: { fence: 7, leaseUntil: new Date(Date.now() + 60_000) } });
  const task = { id: taskId, fence: 7 };
  const writes = createStepWrites(database);
  const [attemptId, next] = [`att_${timeOrderedId()}`, `att_${timeOrderedId()}`];
  const channel = { channelId: 'first', protocol: 'p', maxConcurrency: undefined };
  expect(await writes.beginAttempt(task, { attemptId, ...channel })).toBe('begun');
  const operation = { attemptId, externalId: attemptId, operation: {}, requestIds: [], nextStepInMs: 0 };
  if (accepted) expect(await writes.saveOperation(task, operation)).toBe(true);
  const fault = { fault: 'upstream_fault' as const, detail: 'lost it', requestIds: [], nextStepInMs: 0 };
  const step = { triedChannels: ['first'], barredChannels: [], failedStep: true };
  expect(await writes.giveUpAttempt(task, { attemptId, ...fault, ...step })).toBe(true);
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
    expect(await createStepWrites(books.database).beginAttempt(task, { attemptId: next, ...channel })).toBe('begun');
    const cost = { nano: 30n, origin: 'declared' } as const;
    const attempt = { id: next, state: 'succeeded' as const, requestIds: [], cost };
    const outcome = { kind: 'completed', costNano: 50n, result: {} } as const;
    await createFinisher(books.database)({ taskId: task.id, accountId: payer.accountId, fence: 7, outcome, attempt });
    expect(await costOf(task)).toBe(costNano);
  });
});

describe('the margin', () => {
  it('is the sum over any tasks and ends, by any groups, and that of the ledger', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(example, { minLength: 5, maxLength: 25 }), async (examples) => {
        const paying = await fundedKey(books.database, 1_000_000n);
        const testing = await fundedKey(books.database, 0n, { isTest: true });
        await play({ paying, testing }, examples);
        const real = examples.filter(({ isTest }) => !isTest);
        const { accountId } = paying;
        const read = async (groupBy: readonly (typeof MARGIN_GROUPS)[number][]) => {
          const report = await readMargin(books.database, {
            ...RANGE(),
            vendors: VENDORS,
            groupBy: ['account', ...groupBy],
          });
          if (report.kind !== 'report') throw new Error(report.kind);
          return report.rows.filter(({ values }) => values[0] === accountId);
        };
        const sums = ({ values: _, ...each }: Awaited<ReturnType<typeof read>>[number]) => each;
        if (real.length > 0) expect((await read([])).map(sums)).toEqual([sumUp(real)]);
        for (const row of await read(['vendor', 'model'])) {
          const [, vendor, model] = row.values;
          const group = real.filter(
            (each) =>
              each.model === model &&
              (each.outcome === 'open' ? undefined : VENDORS.get(each.channel ?? '')) === (vendor ?? undefined),
          );
          expect(sums(row)).toEqual(sumUp(group));
        }
        const entries = await books.database.ledgerEntry.groupBy({
          by: ['kind'],
          where: { accountId },
          _sum: { amountNano: true },
        });
        const booked = (kind: string) => entries.find((entry) => entry.kind === kind)?._sum.amountNano ?? 0n;
        expect({ charged: booked('settle'), refunded: booked('adjust') }).toEqual({
          charged: sumUp(real).chargedNano,
          refunded: sumUp(real).refundedNano,
        });
      }),
      { numRuns: 3 },
    );
  });

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
