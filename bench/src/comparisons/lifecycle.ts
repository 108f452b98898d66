import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceiverReport } from '../../instruments/receiver';
import type { Comparison, Outcome } from '../comparison';
import type { RunningProgram } from '../machine/processes';
import { type Goal, rateRatio } from '../measure/figure';
import { interleave } from '../measure/interleave';
import { auditFaults, type Books, mustEqual, openBooks, WEBHOOK_SECRET } from '../product/books';
import { jobContender } from '../product/job-contender';
import { PRODUCT_REDIS, startDelivery, startImageWorker } from '../product/services';
import { submitTasks } from '../product/tasks';
import type { Stage } from '../stage';

/** Tasks in flight at once, in every worker: vendors take seconds, so a worker that is busy has hundreds. */
const CONCURRENCY = 200;
const RECEIVERS = 8;
const NAIVE_REDIS = 1;
/** A worker does a few hundred tasks a second, and the engine has compiled its way of doing one after some thousands. */
const WARM_UP_TIMES = 4;

const VS_NAIVE: Goal = {
  id: 'P9',
  measure: 'tasks from their enqueueing to the callback',
  against: 'naive worker',
  threshold: { atLeast: 6 },
  unit: 'x',
};

/**
 * The whole life of a task after its submission: claim, call the vendor, store the image, settle, call back. The vendor
 * answers at once. The product is two processes, one image worker and one sender of callbacks; the textbook does all in one.
 */
export const lifecycle: Comparison = {
  name: 'lifecycle',
  goals: ['P9'],
  async run(stage): Promise<Outcome> {
    const upstream = await stage.startProgram('instruments/upstream.ts', {});
    const receiver = await stage.startProgram('instruments/receiver.ts', { PORTS: String(RECEIVERS), WEBHOOK_SECRET });
    const { ports } = await receiver.order<ReceiverReport>({});
    const webhook = (index: number) => `http://127.0.0.1:${ports[index % ports.length]}/hook`;

    const product = await openProduct(stage, { upstream, ports, webhook });
    const naive = await openNaive(stage, { upstream, webhook });
    const [ours = [], textbook = []] = await interleave([product, naive], {
      ...stage.pace,
      warmUpMs: stage.pace.warmUpMs * WARM_UP_TIMES,
    });

    const received = await receiver.order<ReceiverReport>({});
    const { calls } = await upstream.order<{ calls: number }>({});
    const tasks = product.done() + naive.done();
    return {
      figures: [rateRatio(VS_NAIVE, ours, textbook)],
      faults: [
        ...(await product.faults()),
        ...(await naive.faults()),
        ...mustEqual('calls to the vendor', calls, tasks),
        ...mustEqual('callbacks', received.callbacks, tasks),
        ...mustEqual('tasks called back', received.tasks, tasks),
        ...mustEqual('callbacks with a wrong signature', received.badlySigned, 0),
      ],
    };
  },
};

interface Around {
  upstream: RunningProgram;
  webhook(index: number): string;
}

async function openProduct(stage: Stage, { upstream, ports, webhook }: Around & { ports: number[] }) {
  const books = await openBooks(stage, 'product', { accounts: 100 });
  const around = { books, upstreamUrl: upstream.url, callbackPorts: ports };
  const worker = await startImageWorker(stage, around, CONCURRENCY);
  const delivery = await startDelivery(stage, around);
  const contender = jobContender(stage, {
    name: 'product',
    service: [worker, delivery],
    redis: PRODUCT_REDIS,
    prefix: '{mediagate}',
    queues: ['image', 'deliveries'],
    probeJobs: 200,
    prepare: async (count) => {
      const ids = await submitTasks(books, { count, webhook });
      return ids.map((taskId) => ({ id: `${taskId}-0`, data: { v: 1, taskId } }));
    },
  });
  return {
    ...contender,
    faults: async () => [
      ...(await endFaults('product', books, contender.done())),
      ...mustEqual(
        'product: steps that succeeded',
        await worker.counter('mediagate_task_steps_total', 'outcome="succeeded"'),
        contender.done(),
      ),
      ...mustEqual(
        'product: attempts of callbacks',
        await delivery.counter('mediagate_webhook_attempts_total'),
        contender.done(),
      ),
      ...(await auditFaults(books)),
    ],
  };
}

async function openNaive(stage: Stage, { upstream, webhook }: Around) {
  const books = await openBooks(stage, 'naive', { accounts: 100 });
  const mediaDirectory = join(stage.directory, 'naive-media');
  mkdirSync(mediaDirectory);
  const worker = await stage.startProgram('reference/naive-lifecycle.ts', {
    DATABASE_URL: books.url,
    REDIS_URL: stage.servers.redisUrl(NAIVE_REDIS),
    UPSTREAM_URL: upstream.url,
    MEDIA_DIRECTORY: mediaDirectory,
    CONCURRENCY: String(CONCURRENCY),
  });
  const contender = jobContender(stage, {
    name: 'naive',
    service: [worker],
    redis: NAIVE_REDIS,
    prefix: 'bull',
    queues: ['image', 'deliveries'],
    probeJobs: 100,
    prepare: async (count) => {
      const ids = await submitTasks(books, { count, webhook });
      return ids.map((taskId) => ({ id: taskId, data: { taskId } }));
    },
  });
  return {
    ...contender,
    async faults() {
      const done = await worker.order<{ tasks: number; callbacks: number }>({});
      return [
        ...(await endFaults('naive', books, contender.done())),
        ...mustEqual('naive: jobs of tasks', done.tasks, contender.done()),
        ...mustEqual('naive: jobs of callbacks', done.callbacks, contender.done()),
      ];
    },
  };
}

async function endFaults(name: string, books: Books, tasks: number): Promise<string[]> {
  return [
    ...mustEqual(`${name}: completed tasks`, await books.count(`tasks where status = 'completed'`), tasks),
    ...mustEqual(`${name}: tasks`, await books.count('tasks'), tasks),
    ...mustEqual(`${name}: delivered`, await books.count(`webhook_deliveries where state = 'delivered'`), tasks),
  ];
}
