import { newTaskId, type TaskId } from '@mediagate/contracts';
import { forAllTests, holdTransaction } from '@mediagate/testkit';
import { renewSubmitterLeases } from '../src';
import { ENDED, insertTask, openRowsOfKey, readTask, secondsFromNow, type TestBooks } from './rows';

const rows = forAllTests(openRowsOfKey);
afterEach(async () => {
  await rows.database.task.deleteMany();
});

const LEASE_MS = 60_000;
const COMPLETED = { family: 'text', status: 'completed', progress: 100, completedAt: new Date() };
const lapsed = () => ({ status: 'processing', runBySubmitter: true, leaseUntil: secondsFromNow(-1) });
const insert = (more: Record<string, unknown> = {}) => insertTask(rows.database, rows.keyId, { ...lapsed(), ...more });
const leaseOf = async (id: TaskId) => (await readTask(rows.database, id)).leaseUntil?.getTime() ?? 0;
const find = async () => (await rows.database.findAbandonedTasks(10)).map(({ id }) => id);
const takeOver = (...ids: TaskId[]) => rows.database.takeOverTasks(ids, LEASE_MS);

const renew = (database: TestBooks['database'], ids: readonly TaskId[], end: string | null = null) =>
  renewSubmitterLeases(
    database,
    ids.map((taskId) => ({ taskId, keptEnd: () => end })),
    LEASE_MS,
  );

describe('a lease of a process on what it runs', () => {
  it('is renewed together with its others, in one statement', async () => {
    const ids = [await insert(), await insert()];
    expect(await renew(rows.database, ids)).toEqual([]);
    for (const id of ids) expect(await leaseOf(id)).toBeGreaterThan(Date.now() + LEASE_MS / 2);
    expect(await find()).toEqual([]);
    expect(await takeOver(...ids)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['ended', { ...ENDED, leaseUntil: null }, 'cancelled'],
    ['ended as it was kept', { ...COMPLETED, fence: 1, leaseUntil: null }, 'cancelled'],
    ['was taken over and settled', { ...COMPLETED, fence: 2, leaseUntil: null }, 'internal_error'],
    ['was taken over and refunded', { ...ENDED, fence: 1, leaseUntil: null }, 'internal_error'],
    ['was taken over', { fence: 1, leaseUntil: new Date(0) }, 'internal_error'],
  ])('is not renewed once the task %s, which the process is to stop', async (_what, more, why) => {
    const id = await insert(more);
    expect(await renew(rows.database, [id])).toEqual([{ id, why }]);
    expect(await leaseOf(id)).toBe(0);
  });

  it('is renewed of a task that its account wants cancelled, which the process is to stop', async () => {
    const id = await insert({ cancelRequestedAt: new Date() });
    expect(await renew(rows.database, [id])).toEqual([{ id, why: 'cancelled_by_caller' }]);
    expect(await leaseOf(id)).toBeGreaterThan(Date.now());
  });

  it('stops nothing whose row a crash of the database has lost', async () => {
    expect(await renew(rows.database, [newTaskId()])).toEqual([]);
  });

  it('does not wait for a task that somebody is just ending', async () => {
    const [ending, other] = [await insert(), await insert()];
    await holdTransaction(rows.other, async (transaction) => {
      await transaction.$queryRaw`select 1 from tasks where id = ${ending} for update`;
      expect(await renew(rows.database, [ending, other])).toEqual([]);
    });
    expect(await find()).toEqual([ending]);
  });
});

describe('what a process has let go of', () => {
  it('is found by its lapsed lease, and nothing else is', async () => {
    const id = await insert();
    await insert({ leaseUntil: secondsFromNow(600) });
    await insert({ leaseUntil: null });
    await insert({ ...ENDED, leaseUntil: null });
    await insert({ runBySubmitter: false });
    expect(await find()).toEqual([id]);
  });

  it('is taken over once, under a new fence, until that lease lapses too', async () => {
    const id = await insert();
    const taken = await Promise.all([takeOver(id), rows.other.takeOverTasks([id], LEASE_MS)]);
    expect(taken.flat()).toEqual([{ id, fence: 1, accountId: expect.any(String) }]);
    expect(await find()).toEqual([]);
    await rows.database.task.update({ where: { id }, data: { leaseUntil: secondsFromNow(-1) } });
    expect(await find()).toEqual([id]);
    expect(await takeOver(id)).toMatchObject([{ id, fence: 2 }]);
  });

  it('is left alone where it was renewed after it had been found', async () => {
    const id = await insert();
    expect(await find()).toEqual([id]);
    await renew(rows.other, [id]);
    expect(await takeOver(id)).toEqual([]);
    expect(await readTask(rows.database, id)).toMatchObject({ fence: 0 });
  });
});
