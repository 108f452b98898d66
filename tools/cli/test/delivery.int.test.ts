import { createFinisher, taskError } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
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
});

describe('delivery redeliver of many', () => {
  it('is refused without anything that says which, and a delivery that is named takes no filter', async () => {
    expect(await world.run('delivery', 'redeliver')).toMatchObject({ code: 2, out: '' });
    expect(await world.run('delivery', 'redeliver', 'whd_1', '--state', 'rejected')).toMatchObject({
      code: 2,
      out: '',
    });
  });
});
