import { ensureRedis, freePort, type Redis, startRedis } from '@mediagate/testkit/servers';

/** A Redis of the system's own, to be killed, emptied and started again under the same address. */
export interface OwnRedis {
  url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** A new life on the same port; `empty` forgets everything it held. */
  start(options: { empty: boolean }): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnRedis(directory: string): Promise<OwnRedis> {
  const program = await ensureRedis(() => undefined);
  const port = await freePort();
  let life = 0;
  const launch = () => startRedis({ program, port, directory: `${directory}-${life}`, durable: true });
  let redis: Redis = await launch();
  return {
    url: redis.url,
    async kill() {
      process.kill(redis.pid, 'SIGKILL');
      await redis.exited;
    },
    async start({ empty }) {
      if (empty) life += 1;
      redis = await launch();
    },
    stop: () => redis.stop(),
  };
}
