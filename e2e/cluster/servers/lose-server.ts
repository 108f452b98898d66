import type { Redis } from 'ioredis';

/** `SIGSTOP`: it is still there, and its connections are open, and nothing is answered. */
export type Loss = 'SIGKILL' | 'SIGSTOP';

export interface Lost {
  /** Until another server had taken its place. */
  replacedAfterMs: number;
  /** A frozen one goes on, and becomes a replica. Of a killed one nothing happens. */
  thaw(): Promise<void>;
}

export interface LossOptions {
  how: Loss;
  untilReplaced(): Promise<void>;
  /** Until it copies the one that has taken its place. */
  untilBack(): Promise<void>;
}

const REPLICATED_WITHIN_MS = 5000;

/** Takes a server away that this process started. One that was frozen goes on at the latest when its replacement fails. */
export async function loseServer(pid: number, { how, untilReplaced, untilBack }: LossOptions): Promise<Lost> {
  const lostAt = performance.now();
  process.kill(pid, how);
  try {
    await untilReplaced();
  } catch (error) {
    if (how === 'SIGSTOP') process.kill(pid, 'SIGCONT');
    throw error;
  }
  const replacedAfterMs = Math.round(performance.now() - lostAt);
  return {
    replacedAfterMs,
    async thaw() {
      if (how === 'SIGKILL') return;
      process.kill(pid, 'SIGCONT');
      await untilBack();
    },
  };
}

/**
 * Resolves once its replica, too, has everything that was written until now.
 *
 * @param key that the server has, or may have.
 */
export async function untilReplicated(redis: Redis, key: string): Promise<void> {
  await redis.set(key, '1', 'PX', REPLICATED_WITHIN_MS);
  const replicas = await redis.wait(1, REPLICATED_WITHIN_MS);
  if (replicas < 1) throw new Error('no replica has what the primary has');
}
