import { forEachTest } from '@mediagate/testkit';
import { openWorld, secondsFromNow, WEBHOOK } from './world';

const world = forEachTest(openWorld);
afterEach(() => world.close());

const LOST = { nextAttemptAt: secondsFromNow(-10) };

/** The callback of a task that has ended. */
async function owe(row: Record<string, unknown> = {}): Promise<string> {
  const id = await world.fail(await world.submit({ webhook: WEBHOOK }));
  if (id === undefined) throw new Error('the task has no callback');
  await world.database.webhookDelivery.update({ where: { id }, data: row });
  return id;
}

describe('enqueue-due-deliveries', () => {
  it('enqueues what is due and unattended, and nothing else', async () => {
    const lost = await owe(LOST);
    const orphan = await owe({ ...LOST, leaseUntil: secondsFromNow(-1), fence: 3, attemptsMade: 2 });
    await owe();
    await owe({ nextAttemptAt: secondsFromNow(60) });
    await owe({ ...LOST, leaseUntil: secondsFromNow(60) });
    const ended = await owe(LOST);
    await world.database.endDelivery(
      { id: ended, fence: 0, attemptsMade: 0 },
      { state: 'dropped', reason: 'blocked address' },
    );

    const job = world.reconciler().enqueueDueDeliveries;
    const expected = [`${lost}-0-r0`, `${orphan}-2-r3`].sort();
    expect(await job.run()).toEqual({ done: 2, more: false });
    expect(await world.jobs('deliveries')).toEqual(expected);
    await job.run();
    expect(await world.jobs('deliveries')).toEqual(expected);
  });

  it('enqueues everything due again after Redis lost it all', async () => {
    const id = await owe(LOST);
    await world.reconciler().enqueueDueDeliveries.run();
    const { queues, jobs } = world.withEmptyRedis();
    await world.reconciler({ queues }).enqueueDueDeliveries.run();
    expect(await jobs('deliveries')).toEqual([`${id}-0-r0`]);
  });
});
