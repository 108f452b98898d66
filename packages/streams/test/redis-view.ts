import { once } from 'node:events';
import { testRedisUrl } from '@mediagate/testkit';
import { Redis } from 'ioredis';

/** What a deployment has in Redis, seen from outside. */
export function openRedisView(prefix: string, redisUrl = testRedisUrl()) {
  const redis = new Redis(redisUrl, { protocol: 2 });
  const keys = () => redis.keys(`{${prefix}}*`);
  return {
    keys,
    async entries(): Promise<number> {
      const lengths = await Promise.all((await keys()).map((key) => redis.xlen(key)));
      return lengths.reduce((sum, length) => sum + length, 0);
    },
    /** Listens from when it resolves on; `heard` is the next message. */
    async listen(channel: 'meetings' | 'worker:*'): Promise<{ heard: Promise<unknown> }> {
      const ears = redis.duplicate();
      await ears.psubscribe(`{${prefix}}:live:${channel}`);
      return { heard: once(ears, 'pmessage').finally(() => ears.disconnect()) };
    },
    flush: () => redis.flushall(),
    close: () => redis.disconnect(),
  };
}

export type RedisView = ReturnType<typeof openRedisView>;
