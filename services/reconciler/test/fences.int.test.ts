import type { TaskId } from '@mediagate/contracts';
import { runSql } from '@mediagate/testkit';
import { openWorld, type World } from './world';

/** The first fence of the second epoch; a server that was never promoted is in its first. */
const SECOND_EPOCH = 100_000;
const HAND_RAISED = 1_000_000;

let world: World;
let taskId: TaskId;
beforeEach(async () => {
  world = await openWorld();
  taskId = await world.submit();
});
afterEach(() => world.close());

async function claim(): Promise<number | undefined> {
  await runSql(world.database, 'update tasks set lease_until = null');
  const claimed = await world.database.claimTask(taskId, 60_000);
  return claimed?.fence;
}

/** Makes it look as if the server was promoted: the notes are those of one on an earlier timeline. */
const promote = () => runSql(world.database, 'update fence_epochs set timeline = timeline - 1');

const hideTimeline = () =>
  runSql(
    world.database,
    "create or replace function database_timeline() returns int language sql stable as 'select null::int'",
  );

describe('fences', () => {
  it('are of another epoch from the first claim after a promotion on, before anybody has noted it', async () => {
    expect([await claim(), await claim()]).toEqual([1, 2]);
    await promote();
    expect([await claim(), await claim()]).toEqual([SECOND_EPOCH, SECOND_EPOCH + 1]);
    await promote();
    expect(await claim()).toBe(2 * SECOND_EPOCH);
  });

  it('stay in the epoch once it is noted, by one of the reconcilers', async () => {
    await promote();
    const jobs = [world.reconciler().notePromotion, world.otherReconciler().notePromotion];
    const results = await Promise.all(jobs.map((job) => job.run()));
    expect(results.reduce((sum, { done }) => sum + done, 0)).toBe(1);
    expect((await Promise.all(jobs.map((job) => job.run()))).map(({ done }) => done)).toEqual([0, 0]);
    expect(await world.database.fenceEpoch.findMany({ orderBy: { epoch: 'asc' } })).toMatchObject([
      { epoch: 0, cause: 'migrated' },
      { epoch: 1, cause: 'promoted' },
    ]);
    expect(await claim()).toBe(SECOND_EPOCH);
  });

  it('are raised by hand where the server hides its timeline', async () => {
    await hideTimeline();
    expect(await claim()).toBe(1);
    await world.reconciler().notePromotion.run();
    expect(await claim()).toBe(2);
    await world.database.raiseFences();
    expect(await claim()).toBe(HAND_RAISED);
  });

  it('of a claim that the standby knows hold on, and those of the lost primary change nothing', async () => {
    const known = (await claim()) as number;
    await promote();
    const renew = (fence: number) => world.database.renewTaskLease({ id: taskId, fence }, 60_000);
    expect(await renew(known)).toBe(true);
    const next = (await claim()) as number;
    expect([await renew(known), await renew(known + 1), await renew(next)]).toEqual([false, false, true]);
  });
});
