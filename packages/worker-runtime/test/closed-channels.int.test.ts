import { removeChannel } from '@mediagate/channels';
import { createPartReader } from '@mediagate/settings';
import { forAllTests, runSql, until } from '@mediagate/testkit';
import type { WorkerDeps } from '../src/worker-deps';
import { withAdapters } from './world/with-adapters';
import { asSource } from './world/worker-spec';
import { openWorld, type World } from './world/world';

const world = forAllTests(openWorld);
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

/** A job that the old channel has accepted and works on, and a new channel that serves the same and is closed as yet. */
async function acceptedByOld() {
  const [old, other, label] = [world.label('old'), world.label('other'), world.label('accepted')];
  await world.upstream.instruct(label, { checks: ['running'] });
  const worker = await world.startWorker({ channels: [world.channel(old)], closedChannels: [world.channel(other)] });
  const id = await world.submit(label);
  await until(async () => (await world.task(id)).attemptState === 'accepted', 'the old channel has it');
  return { old, other, label, id, worker };
}

type Job = Omit<Awaited<ReturnType<typeof acceptedByOld>>, 'worker'>;

/** The new channel takes what is submitted now, and the old one what it has accepted. */
async function expectSplit({ old, other, label, id }: Job): Promise<void> {
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
    job.worker.deps.channels.replace([{ ...found(job.worker, job.old), id: job.other }], {
      closed: [found(job.worker, job.old)],
    });
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

describe('what a channel has accepted is checked where it was accepted, and new tasks go elsewhere,', () => {
  const MOVED = { baseUrl: 'http://127.0.0.1:9' };

  it('when the channel goes to another address, in this worker', async () => {
    const job = await acceptedByOld();
    const old = found(job.worker, job.old);
    job.worker.deps.channels.replace([{ ...old, id: job.other }], { closed: [{ ...old, ...MOVED }] });
    await expectSplit(job);
  });

  it('when the channel goes to another address, in a worker that never knew the former', async () => {
    const job = await acceptedByOld();
    await world.closeWorkers();
    const closedChannels = [world.channel(job.old, MOVED)];
    await world.startWorker({ channels: [world.channel(job.other)], closedChannels });
    await expectSplit(job);
  });
});

describe('links that a channel answered at once are fetched and paid, by a protocol that checks nothing, in a worker that knows', () => {
  const wrap = withAdapters(() => ({ check: undefined as never }));

  it.each([
    ['the channel no more', () => []],
    ['it at another address alone', (old: string) => [world.channel(old, { baseUrl: 'http://127.0.0.1:9' })]],
  ])('%s', async (_, closedChannels) => {
    const [old, other, label] = [world.label('old'), world.label('other'), world.label('answered')];
    await world.upstream.instruct(label, { starts: ['answer'], outputs: 1, lateFetches: 1000 });
    await world.startWorker({ channels: [world.channel(old)], wrap });
    const id = await world.submit(label);
    await until(async () => (await world.task(id)).attemptState === 'accepted', 'its links are saved');
    await world.closeWorkers();
    await world.startWorker({ channels: [world.channel(other)], closedChannels: closedChannels(old), wrap });
    await world.upstream.instruct(label, {});
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n, attemptsMade: 1 });
    expect(await world.attempts(id)).toMatchObject([{ channelId: old, state: 'succeeded' }]);
  });
});

it('a task that closed channels alone can do waits for them, and ends refunded, not as its caller’s mistake', async () => {
  const [weak, able, label] = [world.label('weak'), world.label('able'), world.label('long')];
  const worker = await world.startWorker({
    channels: [world.channel(weak, { options: { most: 1 } }), world.channel(able)],
  });
  const [narrow, wide] = [found(worker, weak), found(worker, able)];
  worker.deps.channels.replace([narrow], { closed: [wide], paused: [wide] });
  const waiting = await world.submit(label);
  await until(async () => (await world.task(waiting)).failedSteps > 0, 'no channel can take it');
  worker.deps.channels.replace([narrow, wide]);
  expect(await world.hastened(waiting)).toMatchObject({ status: 'completed' });
  expect(await world.attempts(waiting)).toMatchObject([{ channelId: able }]);
  worker.deps.channels.replace([narrow], { closed: [wide], paused: [wide] });
  const failed = await world.submit(label);
  expect(await world.hastened(failed)).toMatchObject({ status: 'failed', error: { reason: 'no_upstream' } });
});

describe('a task whose model there is no more', () => {
  const withoutModels = (deps: WorkerDeps): WorkerDeps => ({
    ...deps,
    catalogue: { find: () => undefined },
  });

  /** No release takes so long to replace another. */
  const age = (id: string) =>
    runSql(world.database, `update tasks set created_at = created_at - interval '11 minutes' where id = $1`, [id]);

  it('is checked and charged by what its rows say, once an upstream has accepted it', async () => {
    const { label, id } = await acceptedByOld();
    await world.closeWorkers();
    await age(id);
    await world.startWorker({ channels: [world.channel(world.label('new'))], wrap: withoutModels });
    await world.upstream.instruct(label, {});
    const { reservedNano, ...ended } = await world.hastened(id);
    // Its rates are of two units, one of which nobody has counted.
    expect(ended).toMatchObject({ status: 'completed', costNano: reservedNano, attemptsMade: 1 });
    expect(await world.accepted(label)).toBe(1);
  });

  it('is asked about in time, where its deadline comes before a release could have replaced another', async () => {
    const { label, id } = await acceptedByOld();
    await world.closeWorkers();
    // A quarter of its time has passed, but not ten minutes.
    await runSql(world.database, `update tasks set created_at = created_at - interval '4 minutes' where id = $1`, [id]);
    await world.startWorker({ wrap: withoutModels });
    await world.upstream.instruct(label, {});
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', attemptsMade: 1 });
  });

  it('fails before it is begun, with a refund and the reason', async () => {
    const label = world.label('unbegun');
    await world.startWorker({ wrap: withoutModels });
    const id = await world.submit(label);
    await age(id);
    expect(await world.hastened(id)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { reason: 'no_upstream' },
    });
    expect(await world.attempts(id)).toEqual([]);
    expect(await world.accepted(label)).toBe(0);
  });
});

// The last one: what operators set reaches the workers of every other test, and is laid over what a test has replaced.
it('what a channel has accepted is checked to its end, and new tasks go elsewhere, when operators remove the channel, of which no file has known', async () => {
  const [old, other, label] = [world.label('old'), world.label('other'), world.label('accepted')];
  await world.upstream.instruct(label, { checks: ['running'] });
  await setByOperators(old);
  const worker = await world.startWorker({ channels: [world.channel(other, { priority: 2 })] });
  const id = await world.submit(label);
  await until(async () => (await world.task(id)).attemptState === 'accepted', 'the old channel has it');
  expect(await world.attempts(id)).toMatchObject([{ channelId: old }]);
  const channels = { database: world.database, inFile: () => new Map(), reader: createPartReader({}) };
  expect(await removeChannel(channels, old, { actor: 'cli:test' })).toMatchObject({ kind: 'changed' });
  await until(async () => worker.deps.channels.find(old) === undefined, 'the worker knows it no more');
  await expectSplit({ old, other, label, id });
});

/** A channel that stands in rows alone, in effect at once: the trigger would have the test wait until every process knows its models. */
async function setByOperators(id: string): Promise<void> {
  const { id: _, ...fields } = asSource(world.channel(id));
  await runSql(world.database, 'alter table setting_steps disable trigger setting_steps_in_time');
  await runSql(world.database, SET_CHANNEL, [id, JSON.stringify(fields)]);
  await runSql(world.database, 'alter table setting_steps enable trigger setting_steps_in_time');
}

const SET_CHANNEL = `
with changed as (update settings_version set version = version + 1 returning version)
insert into setting_steps (version, section, name, field, value, effective_at, set_by)
select c.version, 'channels', $1, f.key, f.value, now(), 'cli:test' from changed c cross join jsonb_each($2::text::jsonb) f`;

function found({ deps }: Awaited<ReturnType<World['startWorker']>>, id: string) {
  const channel = deps.channels.find(id);
  if (!channel) throw new Error(`no channel ${id}`);
  return channel;
}
