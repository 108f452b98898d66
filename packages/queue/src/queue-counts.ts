import type { Queue } from 'bullmq';
import type { RedisClient } from './redis/open-redis';
import { nodesOf } from './redis/servers';

/** Jobs of one queue, and who takes them. */
export interface QueueCounts {
  name: string;
  /** Jobs that no worker has taken yet. */
  waiting: number;
  /** How many of the waiting jobs are of tasks that nobody has begun. */
  starts: number;
  active: number;
  /** Jobs for later: the next check of an accepted job, the next attempt of a callback. */
  delayed: number;
  paused: boolean;
  /** Processes that take its jobs; null: this Redis does not list its clients. */
  workers: number | null;
}

/** Counts the jobs of all queues in one round trip. */
export async function countQueues(redis: RedisClient, queues: readonly Queue[]): Promise<QueueCounts[]> {
  const [clients, counts] = await Promise.all([listClients(redis), Promise.all(queues.map(countJobs))]);
  return counts.map((each, index) => ({ ...each, workers: countWorkers(clients, queues[index]) }));
}

async function countJobs(queue: Queue): Promise<Omit<QueueCounts, 'workers'>> {
  const [counts, paused] = await Promise.all([
    queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized'),
    queue.isPaused(),
  ]);
  const { waiting = 0, active = 0, delayed = 0, prioritized: starts = 0 } = counts;
  return { name: queue.name, waiting: waiting + starts, starts, active, delayed, paused };
}

/** Names of all connections, by server; null: a hosted Redis, or the rights of its user, may refuse to list them. */
async function listClients(redis: RedisClient): Promise<string[][] | null> {
  try {
    const lists = await Promise.all(nodesOf(redis).map((node) => node.client('LIST')));
    return lists.map((lines) => String(lines).split('\n').map(nameOf));
  } catch {
    return null;
  }
}

function nameOf(line: string): string {
  return / name=(\S*)/.exec(line)?.[1] ?? '';
}

/**
 * BullMQ names the connection by which a worker waits for jobs. In a cluster a worker may have one to each server, and has one to that
 * of its queue.
 */
function countWorkers(clients: readonly string[][] | null, queue: Queue | undefined): number | null {
  if (clients === null || queue === undefined) return null;
  const name = `${queue.opts.prefix}:${Buffer.from(queue.name).toString('base64')}`;
  return Math.max(...clients.map((names) => names.filter((each) => each === name).length));
}
