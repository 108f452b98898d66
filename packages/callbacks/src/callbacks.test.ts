import type { QueuedDelivery } from '@mediagate/queue';
import { enqueueCallback, enqueueCallbacks, enqueueDelivery } from './callbacks';

/** A queue that takes what it is given, or none of it. */
function scene({ isAway = false } = {}) {
  const enqueued: QueuedDelivery[] = [];
  const warned: unknown[][] = [];
  const take = async (deliveries: readonly QueuedDelivery[]) => {
    if (isAway) throw new Error('Redis does not answer');
    enqueued.push(...deliveries);
  };
  const queue = { enqueueDelivery: (one: QueuedDelivery) => take([one]), enqueueDeliveries: take };
  const logger = { warn: (...line: unknown[]) => void warned.push(line) };
  return { callbacks: { queue, logger }, enqueued, warned };
}

it('the callback of an ended task is enqueued as a first attempt, and nothing where there is none', async () => {
  const { callbacks, enqueued } = scene();
  await enqueueCallback(callbacks, { deliveryId: 'd1' });
  await enqueueCallback(callbacks, {});
  await enqueueCallbacks(callbacks, [{ deliveryId: 'd2' }, { deliveryId: undefined }, { deliveryId: 'd3' }]);
  expect(enqueued).toEqual(['d1', 'd2', 'd3'].map((deliveryId) => ({ deliveryId, attemptsMade: 0 })));
});

it('a queue that is away is a line in the log, and never an error of who committed', async () => {
  const { callbacks, warned } = scene({ isAway: true });
  const error = expect.any(Error);
  await enqueueCallback(callbacks, { deliveryId: 'd1' });
  await enqueueCallbacks(callbacks, [{ deliveryId: 'd2' }, { deliveryId: 'd3' }]);
  await enqueueDelivery(callbacks, { deliveryId: 'd4', attemptsMade: 2, delayMs: 30_000 });
  expect(warned).toEqual([
    ['webhook.enqueue_failed', { deliveryId: 'd1', error }],
    ['webhook.enqueue_failed', { count: 2, error }],
    ['webhook.enqueue_failed', { deliveryId: 'd4', error }],
  ]);
});
