import { audit, auditByClock } from '@mediagate/billing';
import { newTaskId } from '@mediagate/contracts';
import { until, withoutGuards } from '@mediagate/testkit';
import type { Job } from '../src/job';
import { openWorld, type World } from './world';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const DAYS = 200;

/** A task that failed so long ago that nothing but the books has it. */
async function oldTask(): Promise<void> {
  const { database } = world;
  const taskId = newTaskId(Date.now() - DAYS * 86_400_000);
  await world.submit({ taskId });
  await world.fail(taskId);
  const past = `now() - interval '${DAYS} days'`;
  await withoutGuards(
    database,
    `update ledger_entries set created_at = ${past}`,
    `update reservations set created_at = ${past}, resolved_at = ${past}`,
    `update tasks set created_at = ${past}`,
  );
  await until(async () => {
    await auditByClock(database, { everyMs: 0 });
    const [seal] = await database.readSeal();
    return seal?.sealedTo === seal?.newest;
  }, 'all entries are sealed');
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

  it('does nothing unless it is told for how long books are kept', async () => {
    await oldTask();
    expect(await world.reconciler().closeBooks.run()).toEqual({ done: 0, more: false });
    expect(await world.database.listClosedMonths()).toEqual([]);
  });
});
