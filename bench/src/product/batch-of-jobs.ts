import { setTimeout as delay } from 'node:timers/promises';
import { type JobsOptions, Queue } from 'bullmq';
import { Redis } from 'ioredis';

export interface JobToAdd {
  id: string;
  data: object;
}

/** Queues that are filled while they are paused, so that filling them is not part of what is timed. */
export interface JobQueues {
  /** Fills the first queue, opens all, and resolves with the seconds until none of them has a job left. */
  run(jobs: readonly JobToAdd[], limitMs: number): Promise<number>;
  close(): Promise<void>;
}

/** As the product adds its jobs. */
const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true, attempts: 1 };
const ADD_AT_ONCE = 1000;
const POLL_MS = 10;

/** @param options.names the first is filled; the others are those that its jobs add to. */
export function openJobQueues(options: { redisUrl: string; prefix: string; names: readonly string[] }): JobQueues {
  const { redisUrl, prefix, names } = options;
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queues = names.map((name) => new Queue(name, { connection, prefix }));
  const [first] = queues;
  if (first === undefined) throw new RangeError('no queue is named');

  async function fill(queue: Queue, jobs: readonly JobToAdd[]): Promise<void> {
    for (let start = 0; start < jobs.length; start += ADD_AT_ONCE) {
      const some = jobs.slice(start, start + ADD_AT_ONCE);
      await queue.addBulk(some.map(({ id, data }) => ({ name: 'due', data, opts: { ...JOB_OPTIONS, jobId: id } })));
    }
  }

  async function left(): Promise<number> {
    const counts = await Promise.all(queues.map((queue) => queue.getJobCountByTypes('waiting', 'active', 'delayed')));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  return {
    async run(jobs, limitMs) {
      await first.pause();
      await fill(first, jobs);
      const startedAt = performance.now();
      await first.resume();
      while ((await left()) > 0) {
        if (performance.now() - startedAt > limitMs)
          throw new Error(`${await left()} jobs are left after ${limitMs} ms`);
        await delay(POLL_MS);
      }
      return (performance.now() - startedAt) / 1000;
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}
