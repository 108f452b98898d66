import type { Queue } from 'bullmq';
import type { RedisClient } from './redis/open-redis';

/**
 * Where a task that nobody has begun stands in its family's queue. Steps of tasks under way go before both: a step is short,
 * what it brings is paid for, and whoever begins more than it can look after loses results.
 *
 * `light`: of an account that has begun few lately, which so passes the backlog of another. `fair`: in the dispatcher's order.
 */
export type StartLine = 'light' | 'fair';

/** BullMQ takes jobs without a priority first, and then the lowest number. */
export const LINE_PRIORITY: Readonly<Record<StartLine, number>> = { light: 1, fair: 2 };

/** BullMQ's score of a job is its priority times this, and a counter. */
const SCORES_PER_PRIORITY = 2 ** 32;
/** Jobs that leave a line together once it stands still. */
const RELEASED_TOGETHER = 8;

/** Jobs of one family that wait to be taken. */
export interface WaitingJobs {
  /** Jobs of tasks under way, starts enqueued by an older release, and starts whose line stood still. */
  steps: number;
  light: number;
  fair: number;
}

const keysOf = (queue: Queue) => ({ steps: queue.toKey('wait'), starts: queue.toKey('prioritized') });
const firstOf = (line: StartLine) => LINE_PRIORITY[line] * SCORES_PER_PRIORITY;
const lastOf = (line: StartLine) => `(${firstOf(line) + SCORES_PER_PRIORITY}`;

/** Starts of either line, by one command. */
export function countStarts(redis: RedisClient, queue: Queue): Promise<number> {
  return redis.zcard(keysOf(queue).starts);
}

/** Counts all lines in one round trip. */
export async function countWaiting(redis: RedisClient, queue: Queue): Promise<WaitingJobs> {
  const { steps, starts } = keysOf(queue);
  const [inSteps, inLight, inFair] = await Promise.all([
    redis.llen(steps),
    redis.zcount(starts, firstOf('light'), lastOf('light')),
    redis.zcount(starts, firstOf('fair'), lastOf('fair')),
  ]);
  return { steps: inSteps, light: inLight, fair: inFair };
}

/** The next job of each line; undefined: the line is empty. */
interface Heads {
  steps: string | undefined;
  light: string | undefined;
  fair: string | undefined;
}

/** Sees to it that no line of a queue stands still while another one moves: see `release`. */
export class LineGuard {
  readonly #redis: RedisClient;
  readonly #queue: Queue;
  #before: Heads = { steps: undefined, light: undefined, fair: undefined };

  constructor(redis: RedisClient, queue: Queue) {
    this.#redis = redis;
    this.#queue = queue;
  }

  /**
   * Moves the first few jobs of a line to the end of the steps' line if nothing was taken from it since the last call, although
   * something was taken from a line before it. While nothing is taken from any line, nothing moves.
   *
   * @returns how many were moved.
   */
  async release(): Promise<number> {
    const [before, heads] = [this.#before, await this.#readHeads()];
    this.#before = heads;
    const isMoving = (line: keyof Heads) => before[line] !== undefined && before[line] !== heads[line];
    const isStill = (line: StartLine) => before[line] !== undefined && before[line] === heads[line];
    let moved = 0;
    if (isStill('light') && isMoving('steps')) moved += await this.#moveFirst('light');
    if (isStill('fair') && (isMoving('steps') || isMoving('light'))) moved += await this.#moveFirst('fair');
    return moved;
  }

  async #readHeads(): Promise<Heads> {
    const { steps, starts } = keysOf(this.#queue);
    const firstIn = async (line: StartLine) =>
      (await this.#redis.zrangebyscore(starts, firstOf(line), lastOf(line), 'LIMIT', 0, 1))[0];
    const [step, light, fair] = await Promise.all([this.#redis.lindex(steps, -1), firstIn('light'), firstIn('fair')]);
    return { steps: step ?? undefined, light, fair };
  }

  async #moveFirst(line: StartLine): Promise<number> {
    const { starts } = keysOf(this.#queue);
    const ids = await this.#redis.zrangebyscore(starts, firstOf(line), lastOf(line), 'LIMIT', 0, RELEASED_TOGETHER);
    const jobs = await Promise.all(ids.map((id) => this.#queue.getJob(id)));
    // A job that a worker has taken meanwhile cannot be moved.
    const moves = await Promise.allSettled(jobs.map((job) => job?.changePriority({ priority: 0 })));
    return moves.filter(({ status }) => status === 'fulfilled').length;
  }
}
