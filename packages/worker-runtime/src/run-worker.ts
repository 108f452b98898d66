import { loadConfig, run, type Scope } from '@mediagate/host';
import { executeTask } from './execute-task';
import { openWorker } from './open-worker';
import type { FamilyProfile } from './profile';
import { workerSettings } from './worker-settings';

/** Runs a worker service from start to end. Families differ by their profiles alone. */
export function runWorker(profile: FamilyProfile): Promise<void> {
  const main = async (scope: Scope) => {
    const config = loadConfig(workerSettings);
    const { deps, queues } = await openWorker(scope, profile, config);
    const concurrency = config.WORKER_CONCURRENCY ?? profile.concurrency;
    const consumer = queues.consumeTasks(profile.family, (job) => executeTask(job, deps), { concurrency });
    scope.onDrain('tasks in flight', () => consumer.close());
  };
  return run(profile.family, main, { drainSeconds: profile.drainSeconds });
}
