import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAMILIES, newTaskId, type TaskId } from '@mediagate/contracts';
import { openQueues, QUEUE_NAMES, type Queues } from '@mediagate/queue';
import { uniquePrefix, until } from '@mediagate/testkit';
import { createSharedCounter } from '../../services/api/src/http/limits/rate-windows';
import { openRateLimitStore } from '../../services/api/src/rate-limit-store';
import type { Loss, Lost } from './servers/lose-server';
import { startRedisCluster } from './servers/redis-cluster';
import { startRedisSentinels } from './servers/redis-sentinels';

interface Servers {
  url: string;
  /** Loses the primary that has the queue of this name, where several servers have queues. */
  losePrimary(how: Loss, queue: string): Promise<Lost>;
  stop(): Promise<void>;
}

const prefix = uniquePrefix();

const KILLED = ['was killed', 'SIGKILL', 15_000] as const;
const FROZE = ['froze', 'SIGSTOP', 30_000] as const;
/** In a cluster a consumer may meet the frozen server twice: while it waits for a job, and while it connects anew. */
const FROZE_IN_CLUSTER = ['froze', 'SIGSTOP', 60_000] as const;

type Losses = (typeof KILLED | typeof FROZE | typeof FROZE_IN_CLUSTER)[];

const KINDS: [string, (directory: string) => Promise<Servers>, Losses][] = [
  [
    'a Redis Cluster of three primaries',
    async (directory) => {
      const cluster = await startRedisCluster(directory);
      return { ...cluster, losePrimary: (how, queue) => cluster.losePrimaryOf(`{${prefix}:${queue}}`, how) };
    },
    [FROZE_IN_CLUSTER, KILLED],
  ],
  ['a primary that Sentinels watch', (directory) => startRedisSentinels(directory), [FROZE, KILLED]],
];

describe.each(KINDS)('%s', (_kind, start, losses) => {
  const quiet = { debug: () => undefined } as never;
  let directory: string;
  let servers: Servers;
  let queues: Queues;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mediagate-cluster-'));
    servers = await start(directory);
    queues = openQueues({ redisUrl: servers.url, prefix });
  });
  afterAll(async () => {
    await queues?.close();
    await servers?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Asks again while nobody takes writes. */
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    let answer: { value: T } | undefined;
    await until(async () => {
      answer = await work().then(
        (value) => ({ value }),
        () => undefined,
      );
      return answer !== undefined;
    });
    return (answer as { value: T }).value;
  }

  const enqueue = async () => {
    const taskId = newTaskId();
    await queues.enqueueTask({ family: 'video', taskId, fence: 0 });
    return taskId;
  };

  it('reports once that it is new', async () => {
    await patiently(() => queues.ping('video'));
    expect([await queues.jobsWereLost(), await queues.jobsWereLost()]).toEqual([true, false]);
  });

  it('carries jobs of every queue, counts them and their workers, and forgets them', async () => {
    const taken: string[] = [];
    const consumers = FAMILIES.map((family) =>
      queues.consumeTasks(family, async () => void taken.push(family), { concurrency: 1 }),
    );
    for (const family of FAMILIES) await queues.enqueueTask({ family, taskId: newTaskId(), fence: 0 });
    await until(async () => taken.length === FAMILIES.length);
    expect(taken.toSorted()).toEqual(FAMILIES.toSorted());
    const counts = await queues.counts();
    expect(counts.map(({ name, workers }) => [name, workers])).toEqual(
      QUEUE_NAMES.map((name) => [name, (FAMILIES as readonly string[]).includes(name) ? 1 : 0]),
    );
    await Promise.all(consumers.map((consumer) => consumer.close()));

    const starts = [newTaskId(), newTaskId()].map((taskId) => ({ taskId, fence: 0 }));
    await queues.enqueueStarts(
      'image',
      starts.map((each) => ({ ...each, line: 'fair' as const })),
    );
    expect(await queues.countWaiting('image')).toEqual({ steps: 0, light: 0, fair: 2 });
    expect(await queues.findMissing('image', [...starts, { taskId: newTaskId(), fence: 0 }])).toHaveLength(1);
    await queues.clear();
    expect(await queues.countStarts('image')).toBe(0);
    expect(await queues.jobsWereLost()).toBe(true);
  });

  it('counts the requests of an account together', async () => {
    const store = openRateLimitStore(servers.url, quiet, 1500);
    const count = createSharedCounter(store, prefix);
    const limits = { second: Number.POSITIVE_INFINITY, minute: 8 };
    const chain = {
      signature: '',
      accountId: 'acc_1',
      levels: ['key', 'account'].map((id) => ({ name: 'submit' as const, whose: 'whose_key' as const, id, limits })),
    };
    await patiently(() => count(chain, 1));
    const [first, second] = await count(chain, 2);
    expect([first?.number, second?.number]).toEqual([2, 3]);
    store.disconnect();
  });

  // A frozen server resets no connection: whoever waits for it finds out by a time limit of its own, a consumer by two, one after the other.
  it.each(losses)(
    'goes on after a primary %s: jobs and answers, in the processes that were there before',
    async (_what, how, takenWithinMs) => {
      const taken: TaskId[] = [];
      const consumer = queues.consumeTasks('video', async ({ taskId }) => void taken.push(taskId), { concurrency: 1 });
      const before = await patiently(enqueue);
      await until(async () => taken.includes(before));
      const later = newTaskId();
      await queues.enqueueTask({ family: 'video', taskId: later, fence: 0, delayMs: 1000 });

      const { replacedAfterMs, thaw } = await servers.losePrimary(how, 'video');
      const figures = { replacedAfterMs, enqueuedAfterMs: 0, takenAfterMs: 0 };
      try {
        const replacedAt = performance.now();
        const sinceThen = () => Math.round(performance.now() - replacedAt);
        const after = await patiently(enqueue);
        figures.enqueuedAfterMs = sinceThen();
        await until(async () => taken.includes(after) && taken.includes(later));
        figures.takenAfterMs = sinceThen();
        await patiently(() => queues.ping('video'));
        expect(await queues.jobsWereLost()).toBe(false);
      } finally {
        await thaw();
      }
      const last = await patiently(enqueue);
      await until(async () => taken.includes(last));
      await consumer.close();
      process.stdout.write(`${how}: ${JSON.stringify(figures)}\n`);
      expect(figures.takenAfterMs).toBeLessThan(takenWithinMs);
    },
  );
});
