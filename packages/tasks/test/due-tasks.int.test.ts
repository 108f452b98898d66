import { type TaskId, WORKER_FAMILIES } from '@mediagate/contracts';
import type { DueAfter } from '@mediagate/database';
import { forAllTests, holdTransaction } from '@mediagate/testkit';
import { ENDED, insertTask, openRowsOfKey, secondsFromNow } from './rows';

const rows = forAllTests(openRowsOfKey);
afterEach(async () => {
  await rows.database.task.deleteMany();
});

const OPTIONS = { graceMs: 60_000, limit: 10 };
const due = (after: DueAfter['after'] = null, options = OPTIONS) =>
  rows.database.findDueTasks([{ family: 'video', after }], options);
const waiting = () =>
  rows.database.findWaitingTasks([{ family: 'video', limit: 10, fromAccountId: '', turnLeft: 0 }], 0);
const mark = (tasks: { id: TaskId }[]) => rows.database.markTasksEnqueued(tasks.map(({ id }) => id));
const forget = (limit: number) => rows.database.forgetEnqueued(WORKER_FAMILIES, limit);
const ids = (tasks: { id: string }[]) => tasks.map(({ id }) => id);

/** Enqueued by the dispatcher, and claimed by nobody since. */
const DISPATCHED = { nextStepAt: secondsFromNow(-100), wokenAt: secondsFromNow(-99) };

describe('due tasks', () => {
  it('are those that the dispatcher has enqueued and those whose worker may have died, longest due first', async () => {
    const dead = { nextStepAt: secondsFromNow(-600), leaseUntil: secondsFromNow(-1), fence: 2, status: 'processing' };
    const lost = await insertTask(rows.database, rows.keyId, DISPATCHED);
    const orphan = await insertTask(rows.database, rows.keyId, dead);
    await insertTask(rows.database, rows.keyId, { ...dead, family: 'image' });
    expect(await due()).toMatchObject([
      { id: orphan, family: 'video', fence: 2, nextStepAt: dead.nextStepAt },
      { id: lost, family: 'video', fence: 0, nextStepAt: DISPATCHED.nextStepAt },
    ]);
    const [first] = await due(null, { ...OPTIONS, limit: 1 });
    expect(first?.id).toBe(orphan);
    expect(ids(await due(first))).toEqual([lost]);
  });

  it.each([
    ['for the dispatcher to enqueue', () => ({ nextStepAt: secondsFromNow(-60) })],
    ['on their way', () => ({ ...DISPATCHED, nextStepAt: secondsFromNow(-0.5) })],
    ['put off', () => ({ ...DISPATCHED, nextStepAt: secondsFromNow(600) })],
    ['in a worker’s hands', () => ({ ...DISPATCHED, leaseUntil: secondsFromNow(600) })],
    ['past their deadline', () => ({ ...DISPATCHED, deadlineAt: secondsFromNow(-1) })],
    ['over', () => ({ ...ENDED, ...DISPATCHED })],
  ])('are not those that are %s', async (_, more) => {
    await insertTask(rows.database, rows.keyId, more());
    expect(await due()).toEqual([]);
  });

  it('wait for the dispatcher again, where nobody has begun them, when the queue lost everything', async () => {
    const id = await insertTask(rows.database, rows.keyId, DISPATCHED);
    const begun = await insertTask(rows.database, rows.keyId, { ...DISPATCHED, status: 'pending' });
    expect(await waiting()).toEqual([]);
    expect(await forget(10)).toEqual([{ id }]);
    expect(ids(await waiting())).toEqual([id]);
    expect(ids(await due())).toEqual([begun]);
  });
});

describe('marking and forgetting what was enqueued', () => {
  it('waits for no row that a claim or a finish has locked, and does the others', async () => {
    const past = { nextStepAt: secondsFromNow(-10) };
    const locked = await insertTask(rows.database, rows.keyId, past);
    const free = await insertTask(rows.database, rows.keyId, past);
    const both = await waiting();
    await whileLocked(locked, async () => void (await mark(both)));
    expect(ids(await waiting())).toEqual([locked]);
    await mark(both);
    await whileLocked(locked, async () => expect(await forget(10)).toEqual([{ id: free }]));
    expect(ids(await waiting())).toEqual([free]);
  });

  it('forgets in batches, and never of a task that is over', async () => {
    for (const more of [DISPATCHED, DISPATCHED, DISPATCHED, { ...DISPATCHED, ...ENDED }])
      await insertTask(rows.database, rows.keyId, more);
    expect(await forget(2)).toHaveLength(2);
    expect(await forget(2)).toHaveLength(1);
    expect(await waiting()).toHaveLength(3);
  });
});

/** Somebody else holds the row meanwhile; whoever waits for it runs into the statement's time limit. */
async function whileLocked(id: string, work: () => Promise<void>): Promise<void> {
  await holdTransaction(rows.other, async (transaction) => {
    await transaction.$queryRaw`select 1 from tasks where id = ${id} for update`;
    await work();
  });
}

describe('overdue tasks', () => {
  it('are those past their deadline, whoever holds them, and no others', async () => {
    const overdue = { deadlineAt: secondsFromNow(-1), leaseUntil: secondsFromNow(600) };
    const id = await insertTask(rows.database, rows.keyId, overdue);
    await insertTask(rows.database, rows.keyId);
    await insertTask(rows.database, rows.keyId, { ...ENDED, deadlineAt: secondsFromNow(-1) });
    expect(ids(await rows.database.findOverdueTasks(10))).toEqual([id]);
  });
});
