import { loadConfig, type Scope, type Service } from '@mediagate/host';
import { executeHanded, executeTask } from './execute-task';
import { offerOf } from './handed-task';
import { type OpenWorker, openWorker } from './open-worker';
import type { FamilyProfile } from './profile';
import type { WorkerDeps } from './worker-deps';
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
  if (deps.streamSender) takeHanded(scope, deps.streamSender, { deps, concurrency });
}

/** Works on what API processes hand over, beside the queue, until the scope drains. */
function takeHanded(
  scope: Scope,
  streamSender: NonNullable<WorkerDeps['streamSender']>,
  { deps, concurrency }: Pick<OpenWorker, 'deps' | 'concurrency'>,
): void {
  const inFlight = new Set<Promise<void>>();
  streamSender.takeTasks({
    offer: (idle) => offerOf(deps, concurrency - idle),
    take(task, way) {
      const work = executeHanded(task, way, deps).finally(() => inFlight.delete(work));
      inFlight.add(work);
    },
  });
  scope.onDrain('tasks handed over', async () => {
    await streamSender.takeNoMore();
    while (inFlight.size > 0) await Promise.all(inFlight);
  });
}
