import { audit, auditByClock } from '@mediagate/billing';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import { until, withMethods, withoutGuards } from '@mediagate/testkit';
import { Registry } from 'prom-client';
import type { Job } from '../src/job';
import { closeBooks } from '../src/jobs/close-books';
import { openLog, openWorld, type World } from './world';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const OLD = new Date(Date.now() - 200 * 86_400_000);
const MONTH = OLD.toISOString().slice(0, 7);

/** A task of so long ago, which failed then, or is open. */
async function oldTask({ isOpen = false } = {}): Promise<TaskId> {
  const { database } = world;
  const taskId = newTaskId(OLD.getTime());
  await world.submit({ taskId });
  if (!isOpen) await world.fail(taskId);
  const past = `'${OLD.toISOString()}'::timestamptz`;
  await withoutGuards(
    database,
    `update ledger_entries set created_at = ${past}`,
    `update reservations set created_at = ${past}`,
    `update reservations set resolved_at = ${past} where resolved_at is not null`,
    `update tasks set created_at = ${past}`,
  );
  await sealAll();
  return taskId;
}

/** The audit goes no further than the oldest open transaction of the server. */
async function sealAll(): Promise<void> {
  const { database } = world;
  await until(async () => {
    await auditByClock(database, { everyMs: 0 });
    const [seal] = await database.readSeal();
    return seal?.sealedTo === seal?.newest;
  }, 'all entries are sealed');
}

/** A log, and what its lines say of months that wait. */
function openWaits() {
  const { logger, lines } = openLog();
  const waits = () =>
    lines()
      .filter(({ message }) => message === 'books.waits')
      .map(({ level, reason, detail, taskId }) => ({ level, reason, detail, taskId }));
  return { logger, waits };
}

async function runAll(job: Job): Promise<number> {
  let sum = 0;
  for (;;) {
    const { done, more } = await job.run();
    sum += done;
    if (!more) return sum;
  }
}

describe('close-books', () => {
  it('closes months and removes the bookings of tasks from old ones, once their records are gone and their days have sums', async () => {
    await oldTask();
    const { database } = world;
    const { closeBooks, pruneTaskRecords, sumUsageDays } = world.reconciler({ booksRetentionMonths: 3 });
    await runAll(closeBooks);
    expect((await database.listClosedMonths()).length).toBeGreaterThan(3);
    expect(await database.reservation.count()).toBe(1);
    await runAll(sumUsageDays);
    await runAll(closeBooks);
    expect(await database.reservation.count()).toBe(1);
    await runAll(pruneTaskRecords);
    expect(await runAll(closeBooks)).toBe(2);
    expect(await database.reservation.count()).toBe(0);
    expect((await database.ledgerEntry.findMany()).map(({ kind }) => kind)).toEqual(['top_up']);
    expect(await audit(database)).toEqual([]);
  });

  it('says once what keeps the oldest month from being closed', async () => {
    await oldTask({ isOpen: true });
    const { logger, waits } = openWaits();
    const { closeBooks } = world.reconciler({ booksRetentionMonths: 3, logger });
    expect(await runAll(closeBooks)).toBe(0);
    expect(await runAll(closeBooks)).toBe(0);
    expect(waits()).toEqual([{ level: 'warn', reason: 'tasks_open', detail: MONTH }]);
  });

  it('tells nothing of an old month that nothing keeps from being closed', async () => {
    await oldTask();
    await world.reconciler({ booksRetentionMonths: 3 }).tellNotices.run();
    expect(await world.database.notice.count({ where: { kind: 'books_waiting' } })).toBe(0);
  });

  it('does not know what keeps a month open before it has looked, and after a look that failed', async () => {
    const { database } = world;
    const metrics = new Registry();
    const values = async () => {
      const metric = await metrics.getSingleMetric('mediagate_books_waiting')?.get();
      return metric?.values.map(({ value }) => value);
    };
    let isFailing = false;
    const sealMonth = (...from: Parameters<typeof database.sealMonth>) =>
      isFailing ? Promise.reject(new Error('no database')) : database.sealMonth(...from);
    const job = closeBooks(withMethods(database, { sealMonth }), {
      logger: openLog().logger,
      metrics,
      retentionMonths: 3,
    });
    const unknown = [Number.NaN, Number.NaN, Number.NaN];
    expect(await values()).toEqual(unknown);
    await job.run();
    expect(await values()).toEqual([0, 0, 0]);
    isFailing = true;
    await expect(job.run()).rejects.toThrow('no database');
    expect(await values()).toEqual(unknown);
  });

  it('measures what keeps the oldest month open, and tells operators of it until the month is closed', async () => {
    const taskId = await oldTask({ isOpen: true });
    const { database } = world;
    const metrics = new Registry();
    const { closeBooks, tellNotices } = world.reconciler({ booksRetentionMonths: 3, metrics });
    const waits = async () => {
      const { values } = (await metrics.getSingleMetric('mediagate_books_waiting')?.get()) ?? { values: [] };
      return values.filter(({ value }) => value === 1).map(({ labels }) => labels['reason']);
    };
    const told = async () => {
      await tellNotices.run();
      const notices = await database.notice.findMany({ where: { kind: 'books_waiting' } });
      return notices.map(({ owner, subject, figures, endedAt }) => ({
        owner,
        subject,
        figures,
        isOver: endedAt !== null,
      }));
    };
    const notice = { owner: 'operators', subject: 'books', figures: { month: MONTH, reason: 'tasks_open' } };
    await runAll(closeBooks);
    expect(await waits()).toEqual(['tasks_open']);
    expect(await told()).toEqual([{ ...notice, isOver: false }]);
    await world.fail(taskId);
    await sealAll();
    await runAll(closeBooks);
    expect(await waits()).toEqual([]);
    expect(await told()).toEqual([{ ...notice, isOver: true }]);
  });

  it('tells nothing of months that are closed by command', async () => {
    await oldTask({ isOpen: true });
    await world.reconciler().tellNotices.run();
    const kinds = (await world.database.notice.findMany()).map(({ kind }) => kind);
    expect(kinds).not.toContain('books_waiting');
  });

  it('says once for each obstacle what keeps bookings from being removed, and nothing of a month that is not over', async () => {
    const taskId = await oldTask();
    const { logger, waits } = openWaits();
    const { closeBooks, pruneTaskRecords, sumUsageDays } = world.reconciler({ booksRetentionMonths: 3, logger });
    await runAll(closeBooks);
    await runAll(closeBooks);
    const said = [{ level: 'warn', reason: 'tasks_kept', detail: MONTH, taskId }];
    expect(waits()).toEqual(said);
    await runAll(pruneTaskRecords);
    await runAll(closeBooks);
    await runAll(closeBooks);
    said.push({ level: 'warn', reason: 'not_summed', detail: MONTH, taskId });
    expect(waits()).toEqual(said);
    await runAll(sumUsageDays);
    expect(await runAll(closeBooks)).toBe(2);
    expect(waits()).toEqual(said);
  });

  it('does nothing unless it is told for how long books are kept', async () => {
    await oldTask();
    expect(await world.reconciler().closeBooks.run()).toEqual({ done: 0, more: false });
    expect(await world.database.listClosedMonths()).toEqual([]);
  });
});
