// A BullMQ worker that does nothing: what the queue alone costs. Its orders ask how many jobs it has had.
import { Worker } from 'bullmq';
import { announce, serveOrders } from '../src/program';

const { REDIS_URL = '', CONCURRENCY = '' } = process.env;
let handled = 0;
const worker = new Worker(
  'noop',
  async () => {
    handled += 1;
  },
  { connection: { url: REDIS_URL }, concurrency: Number(CONCURRENCY) },
);
serveOrders(async () => ({ handled }));
void worker.waitUntilReady().then(() => announce());
