import { testRedisUrl } from '@mediagate/testkit';
import { Redis } from 'ioredis';

/** What a deployment has in Redis, seen from outside. */
export function openRedisView(prefix: string, redisUrl = testRedisUrl()) {
  const redis = new Redis(redisUrl, { protocol: 2 });
  const staying = redis.duplicate({ lazyConnect: true });
  const keys = () => redis.keys(`{${prefix}}*`);
  return {
    keys,
    async entries(): Promise<number> {
      const lengths = await Promise.all((await keys()).map((key) => redis.xlen(key)));
      return lengths.reduce((sum, length) => sum + length, 0);
    },
    /** Listens from when it resolves on; `heard` is the next message, or the next that is wanted. */
    async listen(
      channel: 'meetings' | 'worker:*',
      isWanted: (message: object) => boolean = () => true,
    ): Promise<{ heard: Promise<unknown[]> }> {
      const subscriber = redis.duplicate();
      await subscriber.psubscribe(`{${prefix}}:live:${channel}`);
      return { heard: firstWanted(subscriber, isWanted).finally(() => subscriber.disconnect()) };
    },
    /** Somebody listens there until `close`, as a worker does. */
    stay: (channel: 'worker:*') => staying.psubscribe(`{${prefix}}:live:${channel}`),
    publish: (channel: 'meetings', message: object) =>
      redis.publish(`{${prefix}}:live:${channel}`, JSON.stringify(message)),
    flush: () => redis.flushall(),
    close() {
      redis.disconnect();
      staying.disconnect();
    },
  };
}

export type RedisView = ReturnType<typeof openRedisView>;

function firstWanted(subscriber: Redis, isWanted: (message: object) => boolean): Promise<unknown[]> {
  return new Promise((resolve) => {
    subscriber.on('pmessage', (...heard: unknown[]) => {
      if (isWanted(JSON.parse(String(heard.at(-1))))) resolve(heard);
    });
  });
}
