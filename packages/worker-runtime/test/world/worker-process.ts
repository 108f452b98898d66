import { once } from 'node:events';
import { run } from '@mediagate/host';
import { executeTask } from '../../src/execute-task';
import { type FaultPoint, withFaultPoints } from './fault-points';
import { openTestWorker } from './open-worker';
import type { Fault, WorkerSpec } from './worker-spec';

const spec = JSON.parse(process.env['WORKER_SPEC'] ?? '') as WorkerSpec;

void run('worker', async (scope) => {
  const { deps, queues, close } = await openTestWorker(spec, scope.logger);
  scope.defer('worker', close);
  const faulty = spec.fault === undefined ? deps : withFaultPoints(deps, struckAt(spec.fault));
  process.send?.('ready');
  await once(process, 'message');
  const consumer = queues.consumeTasks('tts', (job) => executeTask(job, faulty), { concurrency: spec.concurrency });
  scope.onDrain('tasks in hand', () => consumer.close());
  scope.onDrain('word to the test', () => void process.send?.('draining'));
});
// A test that is gone needs no worker.
process.once('disconnect', () => process.exit());

/** Tasks that come to the point wait there for the others; then the process is struck, once. */
function struckAt({ point, tasks, signal }: Fault) {
  let arrived = 0;
  let goOn: () => void = () => undefined;
  const struck = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return async (reached: FaultPoint) => {
    if (reached !== point || arrived >= tasks) return;
    arrived += 1;
    if (arrived === tasks) {
      process.send?.('struck', () => {
        process.kill(process.pid, signal);
        goOn();
      });
    }
    await struck;
  };
}
