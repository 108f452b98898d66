import type { DueTask } from '@mediagate/database';
import { prismaOf } from '@mediagate/testkit';
import { ENDED, insertKey, insertTask, openRows, secondsFromNow, type TestBooks } from './rows';

let rows: TestBooks;
let keyId: string;
beforeAll(async () => {
  rows = await openRows();
  keyId = await insertKey(rows.database);
});
afterAll(() => rows.close());
afterEach(async () => {
  await rows.database.task.deleteMany();
});

const due = () => rows.database.findDueTasks({ graceMs: 2000, limit: 10 });
const mark = (tasks: DueTask[]) => rows.database.markTasksEnqueued(tasks.map(({ id }) => id));
const ids = (tasks: { id: string }[]) => tasks.map(({ id }) => id);

describe('due tasks', () => {
  it('are those whose job was lost and those whose worker died, longest due first', async () => {
    const dead = { nextStepAt: secondsFromNow(-60), leaseUntil: secondsFromNow(-1), fence: 2, status: 'processing' };
    const lost = await insertTask(rows.database, keyId, { nextStepAt: secondsFromNow(-10) });
    const orphan = await insertTask(rows.database, keyId, dead);
    expect(await due()).toEqual([
      { id: orphan, family: 'video', fence: 2 },
      { id: lost, family: 'video', fence: 0 },
    ]);
    expect(await rows.database.findDueTasks({ graceMs: 2000, limit: 1 })).toHaveLength(1);
  });

  it.each([
    ['on their way', () => ({ nextStepAt: secondsFromNow(-0.5) })],
    ['put off', () => ({ nextStepAt: secondsFromNow(5) })],
    ['in a worker’s hands', () => ({ nextStepAt: secondsFromNow(-60), leaseUntil: secondsFromNow(5) })],
    ['past their deadline', () => ({ nextStepAt: secondsFromNow(-60), deadlineAt: secondsFromNow(-1) })],
    ['over', () => ({ ...ENDED, nextStepAt: secondsFromNow(-60) })],
  ])('are not those that are %s', async (_, more) => {
    await insertTask(rows.database, keyId, more());
    expect(await due()).toEqual([]);
  });

  it('are enqueued once, again when something happened since, and again when the queue lost everything', async () => {
    const id = await insertTask(rows.database, keyId, { nextStepAt: secondsFromNow(-10) });
    await mark(await due());
    expect(await due()).toEqual([]);
    expect(await rows.database.forgetEnqueued(10)).toHaveLength(1);
    expect(ids(await due())).toEqual([id]);

    const diedSince = { wokenAt: secondsFromNow(-20), leaseUntil: secondsFromNow(-5) };
    await rows.database.task.update({ where: { id }, data: diedSince });
    expect(ids(await due())).toEqual([id]);
    await rows.database.task.update({ where: { id }, data: { wokenAt: secondsFromNow(-3) } });
    expect(await due()).toEqual([]);
    await rows.database.task.update({ where: { id }, data: { wokenAt: secondsFromNow(-31) } });
    expect(ids(await due())).toEqual([id]);
  });
});

describe('marking and forgetting what was enqueued', () => {
  it('waits for no row that a claim or a finish has locked, and does the others', async () => {
    const past = { nextStepAt: secondsFromNow(-10) };
    const locked = await insertTask(rows.database, keyId, past);
    const free = await insertTask(rows.database, keyId, past);
    const bothDue = await due();
    await whileLocked(locked, async () => void (await mark(bothDue)));
    expect(ids(await due())).toEqual([locked]);
    await mark(bothDue);
    await whileLocked(locked, async () => expect(await rows.database.forgetEnqueued(10)).toHaveLength(1));
    expect(ids(await due())).toEqual([free]);
  });

  it('forgets in batches, and never of a task that is over', async () => {
    const enqueued = { nextStepAt: secondsFromNow(-10), wokenAt: new Date() };
    for (const more of [enqueued, enqueued, enqueued, { ...enqueued, ...ENDED }])
      await insertTask(rows.database, keyId, more);
    expect(await rows.database.forgetEnqueued(2)).toHaveLength(2);
    expect(await rows.database.forgetEnqueued(2)).toHaveLength(1);
    expect(await due()).toHaveLength(3);
  });
});

/** Somebody else holds the row meanwhile; whoever waits for it runs into the statement's time limit. */
async function whileLocked(id: string, work: () => Promise<void>): Promise<void> {
  await prismaOf(rows.other).$transaction(async (transaction) => {
    await transaction.$queryRaw`select 1 from tasks where id = ${id} for update`;
    await work();
  });
}

describe('overdue tasks', () => {
  it('are those past their deadline, whoever holds them, and no others', async () => {
    const overdue = { deadlineAt: secondsFromNow(-1), leaseUntil: secondsFromNow(5) };
    const id = await insertTask(rows.database, keyId, overdue);
    await insertTask(rows.database, keyId);
    await insertTask(rows.database, keyId, { ...ENDED, deadlineAt: secondsFromNow(-1) });
    expect(ids(await rows.database.findOverdueTasks(10))).toEqual([id]);
  });
});
