import { once } from 'node:events';
import { openRedis, type RedisClient } from './redis/open-redis';

/** Longest wait for one command in milliseconds, waiting for the connection included. */
const COMMAND_TIMEOUT_MS = 1500;
/** A connection without an answer for so long is replaced: longer than one command of BullMQ waits for a job. */
const CONSUMER_SILENCE_MS = 12_000;
const SILENCE_MS = 2 * COMMAND_TIMEOUT_MS;
const MAX_LISTENERS = 64;

export interface CommandConnection {
  redis: RedisClient;
  /**
   * Sends a command within one time limit over the connection, which a restart of Redis interrupts for a moment, and the answer.
   *
   * @throws Error after `COMMAND_TIMEOUT_MS`, and whatever `send` throws.
   */
  command<T>(send: () => Promise<T>): Promise<T>;
}

/** A connection for commands whose caller waits: none is queued for later, and none waits without a limit. */
export function openCommandConnection(redisUrl: string, onError: (error: Error) => void): CommandConnection {
  const redis = openRedis(redisUrl, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: reconnectDelayMs,
    reconnectOnError: isOfReplica,
    socketTimeout: SILENCE_MS,
  });
  redis.on('error', onError);
  // Every queue on the connection adds listeners.
  redis.setMaxListeners(MAX_LISTENERS);
  let connecting: Promise<unknown> | undefined;
  /** One promise for all that wait; rejects with the next failure to connect. */
  const whenReady = () => {
    connecting ??= once(redis, 'ready').finally(() => {
      connecting = undefined;
    });
    return connecting;
  };
  return {
    redis,
    command: (send) => withinTime(redis.status === 'ready' ? send() : whenReady().then(send), COMMAND_TIMEOUT_MS),
  };
}

export interface ConsumerConnection {
  redis: RedisClient;
  /** Ends the connection and its duplicates at once, whatever they wait for. */
  disconnect(): void;
}

/** A connection that waits for Redis for ever. BullMQ duplicates it, and cannot end the duplicate without Redis: `disconnect` does. */
export function openConsumerConnection(redisUrl: string, onError: (error: Error) => void): ConsumerConnection {
  const redis = openRedis(redisUrl, {
    maxRetriesPerRequest: null,
    retryStrategy: reconnectDelayMs,
    reconnectOnError: isOfReplica,
    socketTimeout: CONSUMER_SILENCE_MS,
  });
  redis.on('error', onError);
  const connections: RedisClient[] = [redis];
  const duplicate = redis.duplicate.bind(redis) as (...args: unknown[]) => RedisClient;
  redis.duplicate = ((...args: unknown[]) => {
    const another = duplicate(...args);
    connections.push(another);
    return another;
  }) as never;
  return {
    redis,
    disconnect() {
      for (const connection of connections) connection.disconnect();
    },
  };
}

/** Whether a primary that became a replica answered: its address, resolved again, may lead to the server that took its place. */
function isOfReplica({ message }: Error): boolean {
  return /^(?:READONLY|UNBLOCKED)\b/.test(message);
}

function reconnectDelayMs(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 6), 1000);
}

/** BullMQ waits for its connection without a limit, so the limit is set here. */
export async function withinTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
