import { openDatabase } from '@mediagate/database';
import { Registry } from 'prom-client';
import { openWorld, secondsFromNow, type World } from './world';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

function openMeasure(database = world.database) {
  const metrics = new Registry();
  const read = async (name: string, family: string) =>
    (await metrics.getSingleMetric(name)?.get())?.values.find(({ labels }) => labels['family'] === family)?.value;
  return {
    job: world.reconciler({ database, metrics }).measureDueTasks,
    oldest: (family: string) => read('mediagate_due_tasks_oldest_seconds', family),
    waiting: (family: string) => read('mediagate_due_tasks', family),
  };
}

describe('measure-due-tasks', () => {
  it('knows nothing before it has run', async () => {
    const { oldest, waiting } = openMeasure();
    expect(await oldest('image')).toBeNaN();
    expect(await waiting('image')).toBeNaN();
  });

  it('shows submitted tasks that no worker claims, and zero again once they are claimed', async () => {
    const ids = [await world.submit({}, { nextStepAt: secondsFromNow(-300) }), await world.submit()];
    const { job, oldest, waiting } = openMeasure();
    expect(await job.run()).toEqual({ done: 0, more: false });
    expect(await oldest('image')).toBeGreaterThanOrEqual(299);
    expect(await waiting('image')).toBe(2);
    expect(await oldest('video')).toBe(0);
    expect(await waiting('video')).toBe(0);

    for (const id of ids) await world.fail(id);
    await job.run();
    expect(await oldest('image')).toBe(0);
    expect(await waiting('image')).toBe(0);
  });

  it('never lets an old figure stand for one that failed', async () => {
    const database = openDatabase({
      url: world.databaseUrl,
      poolSize: 1,
      statementTimeoutMs: 1000,
      applicationName: 'measure',
    });
    const { job, oldest, waiting } = openMeasure(database);
    await job.run();
    expect(await waiting('image')).toBe(0);
    await database.close();
    await expect(job.run()).rejects.toThrow();
    expect(await oldest('image')).toBeNaN();
    expect(await waiting('image')).toBeNaN();
  });
});
