import { once } from 'node:events';
import type { TaskId } from '@mediagate/contracts';
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

/** Tasks that come to their points wait there for the others; then the process is struck, once. */
function struckAt({ at, signal }: Fault) {
  const awaited = new Set(Object.keys(at));
  let goOn: () => void = () => undefined;
  const struck = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return async (reached: FaultPoint, taskId: TaskId) => {
    if (at[taskId] !== reached || !awaited.delete(taskId)) return;
    if (awaited.size === 0) {
      process.send?.('struck', () => {
        process.kill(process.pid, signal);
        goOn();
      });
    }
    await struck;
  };
}
