import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newTaskId } from '@mediagate/contracts';
import { uniquePrefix, until } from '@mediagate/testkit';
import { ensureRedis, freePort, type Redis, startRedis } from '@mediagate/testkit/servers';
import { openQueues, type Queues } from '../src';

const AN_HOUR_MS = 3_600_000;

let directory: string;
let port: number;
let redis: Redis;
let queues: Queues;

const start = async () => {
  const program = await ensureRedis(() => undefined);
  redis = await startRedis({ program, directory, port, durable: true });
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mediagate-queue-'));
  port = await freePort();
});
beforeEach(async () => {
  await start();
  queues = openQueues({ redisUrl: redis.url, prefix: uniquePrefix() });
});
afterEach(async () => {
  await queues.close();
  await redis.stop();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const enqueue = () => queues.enqueueTask({ family: 'video', taskId: newTaskId(), fence: 0 });

/** One at a time, as callers in sequence would. */
const untilTaken = () =>
  until(
    () =>
      enqueue().then(
        () => true,
        () => false,
      ),
    'a job is taken',
  );

describe('a Redis that does not answer', () => {
  it('because it is gone: every enqueueing is refused, and the next one after it is back is accepted', async () => {
    await enqueue();
    await redis.stop();
    await expect(Promise.any([enqueue(), enqueue()])).rejects.toThrow();
    await expect(queues.ping('video')).rejects.toThrow();
    await start();
    await untilTaken();
  });

  it('because it is frozen: likewise', async () => {
    await enqueue();
    process.kill(redis.pid, 'SIGSTOP');
    await expect(enqueue()).rejects.toThrow();
    process.kill(redis.pid, 'SIGCONT');
    await queues.ping('video');
  });

  it('because it never was there: likewise', async () => {
    const nowhere = openQueues({ redisUrl: `redis://127.0.0.1:${await freePort()}` });
    await expect(nowhere.enqueueTask({ family: 'video', taskId: newTaskId(), fence: 0 })).rejects.toThrow();
    await nowhere.close();
  });
});

describe('a worker whose Redis goes away', () => {
  it('lives on without it, and takes jobs again, old ones too, after it is back', async () => {
    const heard: string[] = [];
    let time = 0;
    const options = { concurrency: 1, now: () => time };
    const consumer = queues.consumeTasks('video', async ({ taskId }) => void heard.push(taskId), options);
    await enqueue();
    await until(() => heard.length === 1, 'the first job');
    await queues.enqueueTask({ family: 'video', taskId: newTaskId(), fence: 0, delayMs: 1000 });
    await redis.stop();
    await until(() => !consumer.running(), 'the worker has noticed');
    time = AN_HOUR_MS;
    expect(consumer.isAlive()).toBe(true);
    await start();
    await until(() => heard.length === 2, 'the job from before the outage');
    await until(() => consumer.running(), 'the worker says that it runs');
    expect(consumer.isAlive()).toBe(true);
    await untilTaken();
    await until(() => heard.length === 3, 'a job from after it');
  });

  it('finishes what it has in flight and can be closed all the same', async () => {
    let begun = false;
    let finish = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let finished = false;
    const handle = async () => {
      begun = true;
      await work;
      finished = true;
    };
    const consumer = queues.consumeTasks('video', async () => void (await handle()), { concurrency: 1 });
    await enqueue();
    await until(() => begun, 'the job is in flight');
    await redis.stop();
    const closed = consumer.close().then(() => finished);
    finish();
    expect(await closed).toBe(true);
    await start();
  });
});
