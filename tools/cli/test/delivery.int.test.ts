import { createFinisher, taskError } from '@mediagate/billing';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import { attemptDelivery, claimDelivery, forAllTests } from '@mediagate/testkit';
import { acceptedTask, fundedKey, openWorld, USER } from './world';

const world = forAllTests(openWorld);
const payer = forAllTests(() => fundedKey(world.database));

/** A task that has failed, with its callback still to be sent. */
async function pendingDelivery(owner = payer): Promise<{ taskId: TaskId; id: string }> {
  const taskId = await acceptedTask(world.database, owner, { webhook: 'https://hooks.example.org/base' });
  const outcome = { kind: 'failed', error: taskError('upstream_error') } as const;
  const { deliveryId = '' } = await createFinisher(world.database)({
    taskId,
    accountId: owner.accountId,
    fence: 'any',
    outcome,
  });
  return { taskId, id: deliveryId };
}

/** One attempt that the receiver answers with 404. */
async function rejectedDelivery(owner = payer): Promise<{ taskId: TaskId; id: string }> {
  const delivery = await pendingDelivery(owner);
  await attemptDelivery(world.database, delivery.id, { httpStatus: 404, state: 'rejected', reason: 'http_404' });
  return delivery;
}

describe('delivery list', () => {
  it('shows each callback with its attempts', async () => {
    const { taskId, id } = await rejectedDelivery();
    const time = expect.closeTo(Date.now() / 1000, -2);
    expect((await world.json('delivery', 'list', '--task', taskId)).data).toEqual([
      {
        id,
        task_id: taskId,
        account_id: payer.accountId,
        url: 'https://hooks.example.org/base',
        state: 'rejected',
        reason: 'http_404',
        created: time,
        next_attempt_at: null,
        ended_at: time,
        attempts: [{ number: 1, started_at: time, ended_at: time, status: 404, error: null }],
      },
    ]);
    const { out } = await world.run('delivery', 'list', '--task', taskId);
    expect(out).toMatch(new RegExp(`^${id} .* rejected +1 +404 `, 'm'));
  });

  it('says when it lists fewer than there are', async () => {
    const owner = await fundedKey(world.database);
    await rejectedDelivery(owner);
    const newest = await rejectedDelivery(owner);
    const list = ['delivery', 'list', '--account', owner.accountId, '--json', '--limit'];
    const cut = await world.run(...list, '1');
    const { data, next_cursor: next } = JSON.parse(cut.out);
    expect(data).toMatchObject([{ id: newest.id }]);
    expect(cut.err).toBe(`mediagate: there are more: --before ${next} goes on\n`);
    expect(await world.run(...list, '2')).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    [['--state', 'lost'], "'--state <state>'"],
    [['--limit', '0'], "'--limit <count>'"],
    [['--task', 'task_1'], "'--task <id>'"],
    [['--account', ''], "'--account <id>'"],
  ])('does not understand %j and names %s', async (words, named) => {
    const { code, out, err } = await world.run('delivery', 'list', ...words);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(named) });
  });
});

describe('delivery redeliver', () => {
  it('makes an ended callback due again, enqueues it and notes who did it', async () => {
    const { id } = await rejectedDelivery();
    const enqueued = new Promise<string>((resolve) => {
      world.queues.consumeDeliveries(async ({ deliveryId }) => resolve(deliveryId), { concurrency: 1 });
    });
    expect(await world.json('delivery', 'redeliver', id)).toMatchObject({ id, state: 'pending' });
    expect(await enqueued).toBe(id);
    expect(await claimDelivery(world.database, id)).toMatchObject({ id, attemptsMade: 0, body: '{}' });
    expect(await world.notes(id)).toMatchObject([{ actor: `cli:${USER}`, action: 'webhook.redeliver' }]);
  });

  it('refuses one that is still being tried and one that is not there', async () => {
    const { id } = await pendingDelivery();
    expect(await world.run('delivery', 'redeliver', id)).toMatchObject({
      code: 1,
      err: `mediagate: ${id}: The callback of this task is still on its way.\n`,
    });
    const nobody = `whd_${newTaskId()}`;
    expect(await world.run('delivery', 'redeliver', nobody)).toMatchObject({
      code: 1,
      err: `mediagate: ${nobody}: Nothing has this id.\n`,
    });
  });
});

describe('delivery redeliver of many', () => {
  it('sends all of a state and an account again, notes it once, and says where to go on', async () => {
    const owner = await fundedKey(world.database);
    await rejectedDelivery(owner);
    await rejectedDelivery(owner);
    const all = ['delivery', 'redeliver', '--state', 'rejected', '--account', owner.accountId];
    const { code, out, err } = await world.run(...all, '--limit', '1', '--reason', 'the receiver was down');
    expect({ code, out, err }).toEqual({
      code: 0,
      out: '1 deliveries are due now\n',
      err: expect.stringContaining('there are more: --before '),
    });
    expect(
      await world.json(...all, '--after', '2020-01-01', '--created-before', new Date().toISOString().slice(0, 10)),
    ).toEqual({ redelivered: 1, next_cursor: null, has_more: false });
    const pending = await world.json('delivery', 'list', '--account', owner.accountId, '--state', 'pending');
    expect(pending.data).toHaveLength(2);
    expect(
      (await world.notes(owner.accountId)).filter(({ action }) => action === 'webhook.redeliver_many'),
    ).toHaveLength(2);
  });

  it('is refused without anything that says which, and a delivery that is named takes no filter', async () => {
    expect(await world.run('delivery', 'redeliver')).toMatchObject({ code: 2, out: '' });
    expect(await world.run('delivery', 'redeliver', 'whd_1', '--state', 'rejected')).toMatchObject({
      code: 2,
      out: '',
    });
  });
});
