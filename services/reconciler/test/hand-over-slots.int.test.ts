import type { Channel } from '@mediagate/settings';
import { forEachTest } from '@mediagate/testkit';
import { Registry } from 'prom-client';
import { openWorld, secondsFromNow } from './world';

const world = forEachTest(openWorld);
afterEach(() => world.close());

const channelOf = (id: string, maxConcurrency?: number) =>
  ({ id, models: new Map([['a-model', 'theirs']]), isTest: false, maxConcurrency }) as unknown as Channel;

/** Makes so many tasks that wait for slots of channels of `a-model`, in their order. */
async function waiting(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const id = await world.submit({}, { model: 'a-model', status: 'pending', fence: 1 });
    await world.database.awaitSlot(
      { id, fence: 1 },
      { attemptId: undefined, barredChannels: [], nextStepInMs: 600_000 },
    );
    ids.push(id);
  }
  return ids;
}

const jobWith = (channels: Channel[], metrics = new Registry()) =>
  world.reconciler({ channels: { serving: () => channels }, metrics }).handOverSlots;

const enqueued = async () => (await world.jobs('image')).map((job) => job.split('-')[0]);

describe('hand-over-slots', () => {
  it('hands over the slots that nobody else did, in turn, and makes those tasks due', async () => {
    const [first, second, third] = await waiting(3);
    const metrics = new Registry();
    const job = jobWith([channelOf('narrow', 2)], metrics);
    expect(await job.run()).toEqual({ done: 2, more: false });
    expect(await enqueued()).toEqual([first, second].sort());
    expect(await job.run()).toEqual({ done: 0, more: false });
    const due = await world.database.task.findMany({ where: { nextStepAt: { lt: secondsFromNow(5) } } });
    expect(due.map(({ id }) => id)).not.toContain(third);
    expect(await metrics.metrics()).toContain('mediagate_tasks_awaiting_slot{family="image"} 3');
  });

  it('uses a channel that was added after the tasks began to wait', async () => {
    const [first, second] = await waiting(2);
    expect(await jobWith([channelOf('full', 0)]).run()).toEqual({ done: 0, more: false });
    expect(await jobWith([channelOf('full', 0), channelOf('added')]).run()).toEqual({ done: 2, more: false });
    expect(await enqueued()).toEqual([first, second].sort());
  });

  it('enqueues nobody for a channel that is out of order', async () => {
    await waiting(1);
    await world.database.followChannels('another-process', [{ channelId: 'broken' }]);
    expect(await jobWith([channelOf('broken', 5)]).run()).toEqual({ done: 0, more: false });
  });

  it('forgets tasks that ended while they waited, and then asks for nothing', async () => {
    const [only] = await waiting(1);
    await world.fail(only as never);
    expect(await jobWith([channelOf('narrow', 2)]).run()).toEqual({ done: 0, more: false });
    expect(await world.database.slotWaiter.count()).toBe(0);
  });
});
