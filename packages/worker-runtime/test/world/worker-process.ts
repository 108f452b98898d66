import { once } from 'node:events';
import { run, type Scope } from '@mediagate/host';
import { takeTasks } from '../../src/open-worker';
import { type FaultPoint, withFaultPoints } from './fault-points';
import { openTestWorker } from './open-worker';
import type { Fault, WorkerSpec } from './worker-spec';

const spec = JSON.parse(process.env['WORKER_SPEC'] ?? '') as WorkerSpec;

void run({ name: 'worker', main: work });

async function work(scope: Scope): Promise<void> {
  const worker = await openTestWorker(scope, spec);
  const deps = spec.fault === undefined ? worker.deps : withFaultPoints(worker.deps, struckAt(spec.fault));
  process.send?.('ready');
  await once(process, 'message');
  takeTasks(scope, { ...worker, deps });
  scope.onDrain('word to the test', () => void process.send?.('draining'));
}
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
