import { type Callbacks, reviveDeliveries } from '@mediagate/callbacks';
import type { Job } from '../job';

/** Enqueues callbacks that are due and that no process sends: never enqueued, lost with Redis, or left by a dead sender. */
export function enqueueDueDeliveries(callbacks: Pick<Callbacks, 'database' | 'queue'>): Job {
  let afterAccountId = '';
  return {
    name: 'enqueue-due-deliveries',
    everyMs: 1000,
    async run() {
      const { count, goesOnAfter } = await reviveDeliveries(callbacks, afterAccountId);
      afterAccountId = goesOnAfter;
      // A full batch may hold the same callbacks again while the sender is busy, so the next batch waits its interval.
      return { done: count, more: false };
    },
  };
}
