import { createBatcher } from '@mediagate/concurrency';
import { firstDeliveryJobs, type JobToAdd } from './jobs';

const LIMITS = { maxItems: 256, maxWaiting: 5000, maxInFlight: 4 };

/** Enqueues first attempts, those that come together by one command and few jobs. What is wrong with one is wrong with the connection. */
export function enqueueTogether(add: (jobs: JobToAdd[]) => Promise<void>): (deliveryId: string) => Promise<void> {
  return createBatcher<string, void>({
    ...LIMITS,
    full: (maxWaiting) => new Error(`${maxWaiting} callbacks wait to be enqueued already`),
    failsAll: () => true,
    async run(ids) {
      await add(firstDeliveryJobs(ids));
      return ids.map(() => undefined);
    },
  });
}
