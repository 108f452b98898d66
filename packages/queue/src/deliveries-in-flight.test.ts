import type { DeliveryJob } from '@mediagate/contracts';
import { DeliveriesInFlight } from './deliveries-in-flight';

const jobs = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index): DeliveryJob => ({ v: 1, deliveryId: `delivery_${from + index}` }));
const turn = () => new Promise(setImmediate);

/** Each is handled until the test ends it. */
function byHand(concurrency: number) {
  const handled = new Map<string, () => void>();
  const inFlight = new DeliveriesInFlight(
    ({ deliveryId }) => new Promise((resolve) => handled.set(deliveryId, resolve)),
    concurrency,
  );
  return { inFlight, handled };
}

it('handles so many at once, of whichever jobs, and the others in the order in which they came', async () => {
  const { inFlight, handled } = byHand(2);
  const first = inFlight.take(jobs(3));
  const second = inFlight.take(jobs(1, 3));
  expect([...handled.keys()]).toEqual(['delivery_0', 'delivery_1']);
  for (const id of ['delivery_0', 'delivery_1']) handled.get(id)?.();
  await turn();
  expect([...handled.keys()]).toEqual(['delivery_0', 'delivery_1', 'delivery_2', 'delivery_3']);
  for (const id of ['delivery_2', 'delivery_3']) handled.get(id)?.();
  await Promise.all([first, second]);
});

it('leaves those that wait, ends those in flight, and has their slots for later ones', async () => {
  const { inFlight, handled } = byHand(1);
  const first = inFlight.take(jobs(3));
  inFlight.leave();
  handled.get('delivery_0')?.();
  await first;
  expect([...handled.keys()]).toEqual(['delivery_0']);
  void inFlight.take(jobs(1, 3));
  expect([...handled.keys()]).toEqual(['delivery_0', 'delivery_3']);
});

it('frees the slot of one whose handling failed', async () => {
  const inFlight = new DeliveriesInFlight(async ({ deliveryId }) => {
    if (deliveryId === 'delivery_0') throw new Error('no');
  }, 1);
  await expect(inFlight.take(jobs(1))).rejects.toThrow('no');
  await expect(inFlight.take(jobs(1, 1))).resolves.toBeUndefined();
});
