import type { Counted } from '../machine/cpu';
import type { Contender } from '../measure/interleave';
import { metered, type Slice } from '../measure/slice';
import type { Stage } from '../stage';
import { type JobToAdd, openJobQueues } from './batch-of-jobs';

export interface JobContenderOptions {
  name: string;
  /** The processes that do the work. */
  service: readonly Counted[];
  /** Number of the Redis database, and the prefix of the queues in it. */
  redis: number;
  prefix: string;
  /** The first is filled; a slice ends when all of them are empty. */
  queues: readonly string[];
  /** Jobs of the first slice, which finds out how many fill a slice. */
  probeJobs: number;
  /** Makes the rows of so many jobs, before the clock starts. */
  prepare(count: number): Promise<JobToAdd[]>;
}

export interface JobContender extends Contender {
  /** Jobs done so far. */
  done(): number;
}

/** A slice far over its time has lost a job. */
const SLICE_LIMIT_MS = 60_000;
const MAX_JOBS = 100_000;

/** Workers that are given so many jobs at once as they will do in a slice, at the rate of the slice before. */
export function jobContender(stage: Stage, options: JobContenderOptions): JobContender {
  const { name, service, prepare, probeJobs } = options;
  const redisUrl = stage.servers.redisUrl(options.redis);
  const queues = openJobQueues({ redisUrl, prefix: options.prefix, names: options.queues });
  stage.defer(() => queues.close());
  const meters = { service, ...stage.servers };
  let rate: number | undefined;
  let done = 0;

  async function runJobs(count: number): Promise<Slice> {
    const jobs = await prepare(count);
    const slice = await metered(meters, async () => ({ count, seconds: await queues.run(jobs, SLICE_LIMIT_MS) }));
    done += count;
    rate = count / slice.seconds;
    return slice;
  }

  return {
    name,
    done: () => done,
    async slice(ms) {
      if (rate === undefined) await runJobs(probeJobs);
      return runJobs(Math.min(MAX_JOBS, Math.max(probeJobs, Math.round(((rate ?? 0) * ms) / 1000))));
    },
  };
}
