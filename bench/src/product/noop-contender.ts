import type { Stage } from '../stage';
import { mustEqual } from './books';
import { type JobContender, jobContender } from './job-contender';

const NOOP_REDIS = 3;

/** The rate of BullMQ itself, which nothing that takes one job a task can exceed. */
export async function noopContender(
  stage: Stage,
  concurrency: number,
): Promise<JobContender & { faults(): Promise<string[]> }> {
  const worker = await stage.startProgram('reference/noop-worker.ts', {
    REDIS_URL: stage.servers.redisUrl(NOOP_REDIS),
    CONCURRENCY: String(concurrency),
  });
  let made = 0;
  const contender = jobContender(stage, {
    name: 'noop',
    service: [worker],
    redis: NOOP_REDIS,
    prefix: 'bull',
    queues: ['noop'],
    probeJobs: 5000,
    prepare: async (count) =>
      Array.from({ length: count }, () => {
        made += 1;
        return { id: `task_${String(made).padStart(26, '0')}-0`, data: { v: 1, taskId: `task_${made}` } };
      }),
  });
  return {
    ...contender,
    async faults() {
      const { handled } = await worker.order<{ handled: number }>({});
      return mustEqual('noop: jobs', handled, contender.done());
    },
  };
}
