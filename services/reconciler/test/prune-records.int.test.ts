import { audit, readAccountBalance } from '@mediagate/billing';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import { forEachTest, runSql } from '@mediagate/testkit';
import { openWorld, secondsFromNow, WEBHOOK } from './world';

const world = forEachTest(openWorld);
afterEach(() => world.close());

const daysAgo = (days: number) => newTaskId(Date.now() - days * 86_400_000);

/** A task that failed after one attempt, its callback sent once and given up. */
async function endedTask(taskId: TaskId): Promise<TaskId> {
  const { database } = world;
  await world.submit({ taskId, webhook: WEBHOOK });
  const attempt = { taskId, number: 1, channelId: 'a', protocol: 'p', state: 'refused' };
  await database.taskAttempt.create({ data: { ...attempt, id: `attempt_${taskId}` } });
  const deliveryId = (await world.fail(taskId)) ?? '';
  await database.webhookAttempt.create({ data: { deliveryId, number: 1 } });
  await database.endDelivery(
    { id: deliveryId, fence: 0, attemptsMade: 0 },
    { state: 'exhausted', reason: 'no answer' },
  );
  return taskId;
}

async function rows() {
  const { database } = world;
  const [tasks, attempts, deliveries, sent, reservations, entries] = await Promise.all([
    database.task.findMany({ select: { id: true }, orderBy: { id: 'asc' } }),
    database.taskAttempt.count(),
    database.webhookDelivery.count(),
    database.webhookAttempt.count(),
    database.reservation.count(),
    database.ledgerEntry.count(),
  ]);
  return { tasks: tasks.map(({ id }) => id), attempts, deliveries, sent, reservations, entries };
}

describe('prune-task-records', () => {
  it('removes ended tasks past their retention with all that hangs on them, and leaves the books', async () => {
    await endedTask(daysAgo(31));
    const young = await endedTask(daysAgo(29));
    const before = await rows();
    const balance = await readAccountBalance(world.database, world.accountId);

    const job = world.reconciler().pruneTaskRecords;
    expect(await job.run()).toEqual({ done: 1, more: false });
    const { reservations, entries } = before;
    expect(await rows()).toEqual({ tasks: [young], attempts: 1, deliveries: 1, sent: 1, reservations, entries });
    expect(await readAccountBalance(world.database, world.accountId)).toEqual(balance);
    expect(await audit(world.database)).toEqual([]);
    expect(await job.run()).toEqual({ done: 0, more: false });
  });

  it('keeps what has not ended and what still owes a callback, however old', async () => {
    const open = await world.submit({ taskId: daysAgo(40) });
    const owing = await world.submit({ taskId: daysAgo(39), webhook: WEBHOOK });
    await world.fail(owing);
    expect(await world.reconciler().pruneTaskRecords.run()).toEqual({ done: 0, more: false });
    expect((await rows()).tasks).toEqual([open, owing]);
  });

  it('removes each task once in two instances at once', async () => {
    for (let made = 0; made < 10; made += 1) await endedTask(daysAgo(31));
    const instances = [world.reconciler(), world.otherReconciler()].map((jobs) => jobs.pruneTaskRecords);
    const results = await Promise.all(instances.map((job) => job.run()));
    expect(results.reduce((sum, { done }) => sum + done, 0)).toBe(10);
    expect(await rows()).toMatchObject({ tasks: [], attempts: 0, deliveries: 0, sent: 0 });
    expect(await audit(world.database)).toEqual([]);
  });
});

describe('prune-idempotency-keys', () => {
  const idempotency = (key: string) => ({ idempotency: { key, requestHash: Buffer.alloc(32) } });
  const keys = async () => {
    const found = await world.database.idempotencyKey.findMany({ orderBy: { idempotencyKey: 'asc' } });
    return found.map(({ idempotencyKey }) => idempotencyKey);
  };

  it('forgets the keys whose day is over and no others', async () => {
    await world.submit(idempotency('old'));
    await world.database.idempotencyKey.updateMany({ data: { expiresAt: secondsFromNow(-1) } });
    await world.submit(idempotency('young'));
    expect(await world.reconciler().pruneIdempotency.run()).toEqual({ done: 1, more: false });
    expect(await keys()).toEqual(['young']);
  });

  it('goes in batches of 500 and says when more may be left', async () => {
    const text = `insert into idempotency_keys (key_id, idempotency_key, request_hash, task_id, expires_at)
      select 'key', n, '\\x00', 'task', now() - interval '1 hour' from generate_series(1, 501) n`;
    await runSql(world.database, text);
    const job = world.reconciler().pruneIdempotency;
    expect(await job.run()).toEqual({ done: 500, more: true });
    expect(await job.run()).toEqual({ done: 1, more: false });
  });
});

describe('prune-destinations', () => {
  const MONTH_AGO = new Date(Date.now() - 31 * 86_400_000);
  const remember = (destination: string) => {
    const channel = { id: 'images', destination, source: { models: {} }, originByOperator: false };
    return world.database.rememberChannel(channel);
  };
  const left = async () => {
    const found = await world.database.channelDestination.findMany({ orderBy: { destination: 'asc' } });
    return found.map(({ destination }) => destination);
  };

  it('forgets where no attempt went for a month and none is open, and no other place', async () => {
    for (const destination of ['asked-about', 'in-use', 'left']) await remember(destination);
    await world.database.channelDestination.updateMany({ data: { updatedAt: MONTH_AGO } });
    await remember('in-use');
    const taskId = await world.submit({ taskId: daysAgo(1) });
    const attempt = { id: 'attempt', taskId, number: 1, channelId: 'images', protocol: 'p', state: 'accepted' };
    await world.database.taskAttempt.create({ data: { ...attempt, destination: 'asked-about' } });
    const { pruneDestinations } = world.reconciler();
    expect(await pruneDestinations.run()).toEqual({ done: 1, more: false });
    expect(await left()).toEqual(['asked-about', 'in-use']);
    await world.database.taskAttempt.update({ where: { id: 'attempt' }, data: { state: 'succeeded' } });
    await pruneDestinations.run();
    expect(await left()).toEqual(['in-use']);
  });
});

it('prune-fingerprints forgets results that are older than the setting, one task whole after the other, and no younger ones', async () => {
  const { database } = world;
  const row = { accountId: 'a', keyId: 'k', kind: 'image', sha256: Buffer.alloc(32), hashes: [7n] };
  const ids = [daysAgo(100), daysAgo(91), daysAgo(89)];
  await database.insertFingerprints(ids.flatMap((taskId) => [1, 2].map((output) => ({ ...row, taskId, output }))));
  const { pruneFingerprints } = world.reconciler();
  expect(await pruneFingerprints.run()).toEqual({ done: 0, more: false });
  await database.fingerprint.updateMany({ data: { createdAt: new Date(Date.now() - 91 * 86_400_000) } });
  expect(await pruneFingerprints.run()).toEqual({ done: 4, more: false });
  const left = await database.fingerprint.findMany({ orderBy: { output: 'asc' } });
  expect(left.map(({ taskId, output }) => [taskId, output])).toEqual([
    [ids[2], 1],
    [ids[2], 2],
  ]);
});
