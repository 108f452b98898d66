import { openDatabase } from '@mediagate/database';
import { forEachTest, PATIENCE } from '@mediagate/testkit';
import { Registry } from 'prom-client';
import { openWorld, secondsFromNow, WEBHOOK } from './world';

const world = forEachTest(openWorld);
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
});

/** Takes no slot meanwhile. The column's name is one of old. */
const WAITS_FOR_ITS_CALLER = Object.fromEntries([['parked', true]]);

function openStanding(database = world.database) {
  const metrics = new Registry();
  const labels = {
    models: new Set<string>(),
    model: (id: string) => id,
    channel: (id: string) => (id === 'a' ? id : 'other'),
    isTest: () => false,
  };
  const job = world.reconciler({ database, metrics, labels, lowBalanceNano: 1_000n }).measureStanding;
  const read = async (name: string) => (await metrics.getSingleMetric(name)?.get())?.values;
  const figure = async (name: string) => (await read(name))?.[0]?.value;
  return { job, read, figure };
}

describe('measure-standing', () => {
  it('counts accounts below the threshold, but none that never had money or is suspended', async () => {
    const { job, figure } = openStanding();
    expect(await figure('mediagate_low_balance_accounts')).toBeNaN();
    await job.run();
    expect(await figure('mediagate_low_balance_accounts')).toBe(0);
    const { webhookSecret } = await world.database.account.findUniqueOrThrow({ where: { id: world.accountId } });
    const account = (id: string, toppedUpNano: bigint, state = 'active') => ({
      id,
      name: id,
      webhookSecret,
      toppedUpNano,
      state,
    });
    await world.database.account.createMany({
      data: [account('low', 999n), account('enough', 1_000n), account('new', 0n), account('out', 5n, 'suspended')],
    });
    await job.run();
    expect(await figure('mediagate_low_balance_accounts')).toBe(1);
  });

  it('shows callbacks that nobody sends, and since when', async () => {
    const deliveryId = await world.fail(await world.submit({ webhook: WEBHOOK }));
    await world.database.webhookDelivery.update({
      where: { id: deliveryId as string },
      data: { nextAttemptAt: secondsFromNow(-90) },
    });
    const { job, figure } = openStanding();
    await job.run();
    expect(await figure('mediagate_due_deliveries')).toBe(1);
    expect(await figure('mediagate_due_deliveries_oldest_seconds')).toBeGreaterThanOrEqual(89);
  });

  it('shows the jobs of each channel, those of channels that the file has no more together, and what nobody knows the outcome of', async () => {
    const attempt = async (channelId: string, state: string, row = {}) => {
      const taskId = await world.submit({}, row);
      await world.database.taskAttempt.create({
        data: { id: `att_${taskId}`, taskId, number: 1, channelId, protocol: 'p', state },
      });
    };
    for (const channelId of ['a', 'a', 'gone', 'gone too']) await attempt(channelId, 'accepted');
    await attempt('a', 'starting', WAITS_FOR_ITS_CALLER);
    await attempt('a', 'unknown');
    const asked = { channelId: 'a', names: ['dead', 'living'] };
    await world.database.claimNamesLook(asked);
    await world.database.noteUnlisted(asked, ['dead']);
    const { job, read, figure } = openStanding();
    await job.run();
    expect(await read('mediagate_channel_slots_in_use')).toEqual(
      expect.arrayContaining([
        { labels: { channel: 'a' }, value: 2 },
        { labels: { channel: 'other' }, value: 2 },
      ]),
    );
    expect(await read('mediagate_channel_unlisted_names')).toEqual([{ labels: { channel: 'a' }, value: 1 }]);
    expect(await figure('mediagate_quarantined_attempts')).toBe(1);
  });
});

it.each([
  ['measureDueTasks', 'mediagate_due_tasks_oldest_seconds', 'mediagate_due_tasks'],
  [
    'measureStanding',
    'mediagate_due_deliveries',
    'mediagate_low_balance_accounts',
    'mediagate_quarantined_attempts',
    'mediagate_channel_slots_in_use',
  ],
] as const)('%s lets no old figure stand for one that failed', async (name, ...gauges) => {
  const database = openDatabase({ url: world.databaseUrl, poolSize: 1, ...PATIENCE, applicationName: 'figures' });
  const metrics = new Registry();
  const job = world.reconciler({ database, metrics })[name];
  const taskId = await world.submit();
  const attempt = { id: `att_${taskId}`, taskId, number: 1, channelId: 'a', protocol: 'p', state: 'accepted' };
  await world.database.taskAttempt.create({ data: attempt });
  /** A figure that is not known is none, or no number. */
  const areKnown = async () => {
    const read = await Promise.all(gauges.map((gauge) => metrics.getSingleMetric(gauge)?.get()));
    const values = read.map((gauge) => (gauge?.values ?? []).map(({ value }) => value));
    return values.map((each) => each.length > 0 && each.every((value) => !Number.isNaN(value)));
  };
  await job.run();
  expect(await areKnown()).toEqual(gauges.map(() => true));
  await database.close();
  await expect(job.run()).rejects.toThrow();
  expect(await areKnown()).toEqual(gauges.map(() => false));
});
