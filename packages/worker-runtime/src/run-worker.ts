import { loadConfig, run, type Scope } from '@mediagate/host';
import { executeTask } from './execute-task';
import { type OpenWorker, openWorker } from './open-worker';
import type { FamilyProfile } from './profile';
import { workerSettings } from './worker-settings';

/** Runs a worker service from start to end. Families differ by their profiles alone. */
export function runWorker(profile: FamilyProfile): Promise<void> {
  const main = async (scope: Scope) => {
    takeTasks(scope, await openWorker(scope, { profile, config: loadConfig(workerSettings) }));
  };
  return run(profile.family, main, { drainSeconds: profile.drainSeconds });
}

/** Works on what comes to the family's queue, until the scope drains. */
export function takeTasks(scope: Scope, { deps, queues, concurrency }: OpenWorker): void {
  const consumer = queues.consumeTasks(deps.profile.family, (job) => executeTask(job, deps), { concurrency });
  scope.onDrain('tasks in flight', () => consumer.close());
}
