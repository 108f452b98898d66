import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newTaskId } from '@mediagate/contracts';
import { ensureRedis, freePort, type Redis, startRedis } from '@mediagate/local-servers';
import { StreamEndedError, WINDOW_BYTES } from '../src';
import { type BothSides, DIRECT, hearAll, never, openBothSides, QUICK } from './both-sides';
import { openRedisView } from './redis-view';
import { until } from './until';

/** What a command may take, and the pause before the next try to connect. */
const LIMIT_MS = 3500;

let directory: string;
let port: number;
let redis: Redis;
let sides: BothSides;

const start = async () => {
  const program = await ensureRedis(() => undefined);
  redis = await startRedis({ program, directory, port, durable: false });
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mediagate-live-'));
  port = await freePort();
});
beforeEach(async () => {
  await start();
  sides = await openBothSides({ redisUrl: redis.url, timing: QUICK });
});
afterEach(async () => {
  await sides.close();
  await redis.stop();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** An answer under way that its caller does not take. */
async function underWay() {
  const { listening, delivery } = await sides.meet();
  const events = listening[Symbol.asyncIterator]();
  const sending = delivery.send(Buffer.alloc(WINDOW_BYTES + 1));
  await events.next();
  expect((await events.next()).value).toMatchObject({ kind: 'chunk' });
  return {
    delivery,
    sending,
    rest: async () => {
      for (;;) {
        const { value, done } = await events.next();
        if (done) throw new Error('it ended without a last word');
        if (value.kind !== 'chunk') return value;
      }
    },
  };
}

async function expectBothToEnd({ sending, rest }: Awaited<ReturnType<typeof underWay>>): Promise<void> {
  const struckAt = performance.now();
  await expect(sending).rejects.toThrow(new StreamEndedError('api_gone'));
  expect(await rest()).toEqual({ kind: 'worker_lost', fence: 1 });
  expect(performance.now() - struckAt).toBeLessThan(LIMIT_MS);
}

/** Each side finds out by itself, and what is begun before both have is cut off once more. */
async function expectToWorkAgain(): Promise<void> {
  await until(async () => sides.receiver.available() && (await answerAgain()) === 'again', 'it works again');
}

async function answerAgain(): Promise<string> {
  const taskId = newTaskId();
  const listening = sides.receiver.listen(taskId);
  const heard = hearAll(listening);
  const delivery = await sides.sender.open({ taskId, fence: 1, signal: never() });
  try {
    await delivery?.send(Buffer.from('again'));
    await delivery?.finish();
    await delivery?.settled();
  } catch (error) {
    if (!(error instanceof StreamEndedError)) throw error;
  }
  if (!delivery) listening.close();
  return String((await heard).bytes);
}

describe('a Redis that goes away in the middle of an answer', () => {
  it('killed: the answer ends on both sides, nobody is listened to meanwhile, and the next one goes through', async () => {
    const answer = await underWay();
    process.kill(redis.pid, 'SIGKILL');
    await expectBothToEnd(answer);
    expect(sides.receiver.available()).toBe(false);
    expect((await hearAll(sides.receiver.listen(newTaskId()))).last).toEqual({ kind: 'worker_lost', fence: 0 });
    await redis.exited;
    await start();
    await expectToWorkAgain();
  });

  it('frozen: likewise', async () => {
    const answer = await underWay();
    process.kill(redis.pid, 'SIGSTOP');
    await expectBothToEnd(answer);
    process.kill(redis.pid, 'SIGCONT');
    await expectToWorkAgain();
  });
});

describe('an answer by a connection of its own', () => {
  it('goes on to its end while Redis is killed', async () => {
    await sides.close();
    sides = await openBothSides({ redisUrl: redis.url, timing: QUICK, direct: DIRECT });
    const { listening, delivery } = await sides.meet();
    const heard = hearAll(listening);
    await delivery.send(Buffer.from('before, '));
    process.kill(redis.pid, 'SIGKILL');
    await redis.exited;
    await until(() => !sides.receiver.available(), 'both know that Redis is gone');
    await delivery.send(Buffer.from('and after'));
    await delivery.finish();
    await delivery.settled();
    const { bytes, last } = await heard;
    expect([String(bytes), last]).toEqual(['before, and after', { kind: 'settled', fence: 1 }]);
    await start();
  });
});

describe('a Redis that was emptied', () => {
  it('ends the answers whose stream is gone, and the next ones go through', async () => {
    const answer = await underWay();
    const view = openRedisView(sides.prefix, redis.url);
    await view.flush();
    view.close();
    await expectBothToEnd(answer);
    await expectToWorkAgain();
  });
});

describe('a Redis that never was there', () => {
  it('is waited for by nobody for long', async () => {
    const nowhere = await openBothSides({ redisUrl: `redis://127.0.0.1:${await freePort()}`, isThere: false });
    expect(nowhere.receiver.available()).toBe(false);
    const askedAt = performance.now();
    expect(await nowhere.sender.open({ taskId: newTaskId(), fence: 1, signal: never() })).toBeUndefined();
    expect(performance.now() - askedAt).toBeLessThan(LIMIT_MS);
    await nowhere.close();
  });
});
