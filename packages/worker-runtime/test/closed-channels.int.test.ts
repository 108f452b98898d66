import { until } from './world/until';
import { openWorld, type World } from './world/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

/** A job that the old channel has accepted and works on, and a new channel that serves the same. */
async function acceptedByOld() {
  const [old, other, label] = [world.label('old'), world.label('other'), world.label('accepted')];
  await world.upstream.instruct(label, { checks: ['running'] });
  const worker = await world.startWorker({ channels: [world.channel(old)] });
  const id = await world.submit(label);
  await until(async () => (await world.task(id)).attemptState === 'accepted', 'the old channel has it');
  return { old, other, label, id, worker };
}

async function expectSplit({ old, other, label, id }: Awaited<ReturnType<typeof acceptedByOld>>): Promise<void> {
  const next = await world.submit(world.label('next'));
  expect(await world.hastened(next)).toMatchObject({ status: 'completed' });
  expect(await world.attempts(next)).toMatchObject([{ channelId: other, state: 'succeeded' }]);
  await world.upstream.instruct(label, {});
  expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n, attemptsMade: 1 });
  expect(await world.attempts(id)).toMatchObject([{ channelId: old, state: 'succeeded' }]);
  expect(await world.accepted(label)).toBe(1);
}

describe('what a channel has accepted is checked to its end, and new tasks go elsewhere,', () => {
  it('when the file closes the channel', async () => {
    const job = await acceptedByOld();
    job.worker.deps.channels.replace([{ ...found(job.worker, job.old), id: job.other }], [found(job.worker, job.old)]);
    await expectSplit(job);
  });

  it('when the file has the channel no more, in this worker', async () => {
    const job = await acceptedByOld();
    job.worker.deps.channels.replace([{ ...found(job.worker, job.old), id: job.other }]);
    await expectSplit(job);
  });

  it('when the file has the channel no more, in a worker that never knew it', async () => {
    const job = await acceptedByOld();
    await world.closeWorkers();
    await world.startWorker({ channels: [world.channel(job.other)] });
    await expectSplit(job);
  });

  it('when the channel serves the model no more', async () => {
    const job = await acceptedByOld();
    await world.closeWorkers();
    await world.startWorker({
      channels: [world.channel(job.old, { models: ['idempotent'] }), world.channel(job.other)],
    });
    await expectSplit(job);
  });
});

function found({ deps }: Awaited<ReturnType<World['startWorker']>>, id: string) {
  const channel = deps.channels.find(id);
  if (!channel) throw new Error(`no channel ${id}`);
  return channel;
}
