import { loadConfig, type Scope, type Service } from '@mediagate/host';
import { executeTask } from './execute-task';
import { type OpenWorker, openWorker } from './open-worker';
import type { FamilyProfile } from './profile';
import { workerSettings } from './worker-settings';

/** The service of a family. Families differ by their profiles alone. */
export function workerService(profile: FamilyProfile): Service {
  return {
    name: profile.family,
    drainSeconds: profile.drainSeconds,
    async main(scope) {
      takeTasks(scope, await openWorker(scope, { profile, config: loadConfig(workerSettings) }));
    },
  };
}

/** Works on what comes to the family's queue, until the scope drains. */
export function takeTasks(scope: Scope, { deps, queues, concurrency }: OpenWorker): void {
  const consumer = queues.consumeTasks(deps.profile.family, (job) => executeTask(job, deps), { concurrency });
  scope.addLivenessCheck('tasks', () => consumer.isAlive());
  scope.onDrain('tasks in flight', () => consumer.close());
}
