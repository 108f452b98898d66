import { firstDeliveryJobs } from '@mediagate/queue';
import type { ReceiverReport } from '../../instruments/receiver';
import type { Comparison, Outcome } from '../comparison';
import { type Goal, rateRatio } from '../measure/figure';
import { interleave } from '../measure/interleave';
import { auditFaults, mustEqual, openBooks, WEBHOOK_SECRET } from '../product/books';
import { jobContender } from '../product/job-contender';
import { noopContender } from '../product/noop-contender';
import { PRODUCT_REDIS, startDelivery } from '../product/services';
import { completeTasks, submitTasks } from '../product/tasks';
import type { Stage } from '../stage';

const RECEIVERS = 16;
const ACCOUNTS = 100;
/** Callbacks under way at once, of the idle worker: the sender's own default. */
const CONCURRENCY = 256;
/** The engine has compiled the way of one callback after some thousands. */
const WARM_UP_TIMES = 3;

const GOAL: Goal = {
  id: 'P10',
  measure: 'callbacks, signed and recorded',
  against: 'BullMQ worker that does nothing',
  threshold: { atLeast: 0.25 },
  unit: 'x',
};

/**
 * One sender of callbacks with work for it: every address judged, every attempt counted, signed and written down. Its jobs name as
 * many callbacks as those of workers do whose tasks end together.
 */
export const callbacks: Comparison = {
  name: 'callbacks',
  goals: ['P10'],
  async run(stage): Promise<Outcome> {
    const product = await openProduct(stage);
    const noop = await noopContender(stage, CONCURRENCY);
    const [ours = [], idle = []] = await interleave([product, noop], {
      ...stage.pace,
      warmUpMs: stage.pace.warmUpMs * WARM_UP_TIMES,
    });
    return {
      figures: [rateRatio(GOAL, ours, idle)],
      faults: [...(await product.faults()), ...(await noop.faults())],
    };
  },
};

async function openProduct(stage: Stage) {
  const receiver = await stage.startProgram('instruments/receiver.ts', { PORTS: String(RECEIVERS), WEBHOOK_SECRET });
  const { ports } = await receiver.order<ReceiverReport>({});
  const webhook = (index: number) => `http://127.0.0.1:${ports[index % ports.length]}/hook`;
  const books = await openBooks(stage, 'product', { accounts: ACCOUNTS });
  const delivery = await startDelivery(stage, { books, callbackPorts: ports });
  const contender = jobContender(stage, {
    name: 'product',
    service: [delivery],
    redis: PRODUCT_REDIS,
    prefix: '{mediagate}',
    queues: ['deliveries'],
    probeJobs: 500,
    prepare: async (count) => {
      const deliveries = await completeTasks(books, await submitTasks(books, { count, webhook }));
      return firstDeliveryJobs(deliveries);
    },
  });
  return {
    ...contender,
    async faults() {
      const { callbacks: received, tasks, badlySigned } = await receiver.order<ReceiverReport>({});
      const delivered = await books.count(`webhook_deliveries where state = 'delivered'`);
      return [
        ...mustEqual('callbacks', received, contender.done()),
        ...mustEqual('tasks called back', tasks, contender.done()),
        ...mustEqual('callbacks with a wrong signature', badlySigned, 0),
        ...mustEqual('delivered', delivered, contender.done()),
        ...mustEqual('attempts', await delivery.counter('mediagate_webhook_attempts_total'), contender.done()),
        ...(await auditFaults(books)),
      ];
    },
  };
}
