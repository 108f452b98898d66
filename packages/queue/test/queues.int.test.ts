import { newTaskId, type StepEnd, type TaskJob } from '@mediagate/contracts';
import { testRedisUrl, uniquePrefix, until } from '@mediagate/testkit';
import { Queue, Worker } from 'bullmq';
import { type Consumer, openQueues, openRedis, type Queues } from '../src';

let queues: Queues;
let prefix: string;
beforeEach(() => {
  prefix = uniquePrefix();
  queues = openQueues({ redisUrl: testRedisUrl(), prefix });
});
afterEach(() => queues.close());

/** Takes the jobs of a family one by one, and lists them. */
function listen(handle: (taskId: string) => void = () => undefined): string[] {
  const heard: string[] = [];
  queues.consumeTasks(
    'video',
    async ({ taskId }) => {
      heard.push(taskId);
      handle(taskId);
    },
    { concurrency: 1 },
  );
  return heard;
}

/** One consumer with one slot takes jobs in their order: when this has come, so has everything before it. */
async function comeAfter(heard: string[]): Promise<void> {
  const last = newTaskId();
  await queues.enqueueTask({ family: 'video', taskId: last, fence: 0 });
  await until(() => heard.includes(last), 'the last job');
  expect(heard.pop()).toBe(last);
}

describe('jobs of a task', () => {
  it('for the same step collapse into one, however many there are', async () => {
    const taskId = newTaskId();
    const task = { family: 'video', taskId, fence: 3 } as const;
    await Promise.all(Array.from({ length: 20 }, () => queues.enqueueTask(task)));
    await queues.enqueueTasks('video', [task, task]);
    const heard = listen();
    await comeAfter(heard);
    expect(heard).toEqual([taskId]);
  });

  it('for different steps do not, nor those that are marked as distinct', async () => {
    const taskId = newTaskId();
    await queues.enqueueTasks('video', [
      { family: 'video', taskId, fence: 3 },
      { family: 'video', taskId, fence: 4 },
      { family: 'video', taskId, fence: 4, distinct: 'again' },
    ]);
    const heard = listen();
    await comeAfter(heard);
    expect(heard).toEqual([taskId, taskId, taskId]);
  });

  it('can come again once they were received, whether their step went well or not', async () => {
    const task = { family: 'video', taskId: newTaskId(), fence: 1 } as const;
    let broken = true;
    const heard = listen((taskId) => {
      if (taskId === task.taskId && broken) throw new Error('the step broke');
    });
    for (const count of [1, 2, 3]) {
      await queues.enqueueTask(task);
      await until(() => heard.length === count, `job ${count}`);
      broken = count < 2;
      await comeAfter(heard);
    }
    expect(heard).toHaveLength(3);
  });

  it('wait for their time and hold no slot meanwhile', async () => {
    const late = newTaskId();
    const heard = listen();
    await queues.enqueueTask({ family: 'video', taskId: late, fence: 0, delayMs: 60_000 });
    await comeAfter(heard);
    expect(heard).toEqual([]);
    const queue = new Queue('video', { connection: { url: testRedisUrl() }, prefix: `{${prefix}}` });
    const [job] = await queue.getDelayed();
    expect(job?.delay).toBe(60_000);
    await job?.changeDelay(1);
    await until(() => heard.includes(late), 'the late job');
    await queue.close();
  });

  it('go to their own family only', async () => {
    await queues.enqueueTask({ family: 'image', taskId: newTaskId(), fence: 0 });
    const heard = listen();
    await comeAfter(heard);
    expect(heard).toEqual([]);
  });

  it('that name no task are dropped before anybody sees them', async () => {
    const raw = new Queue('video', { connection: { url: testRedisUrl() }, prefix: `{${prefix}}` });
    for (const data of [{}, null, { taskId: 7 }, { taskId: "task_'; drop table tasks" }]) await raw.add('due', data);
    const heard = listen();
    await comeAfter(heard);
    expect(heard).toEqual([]);
    await raw.close();
  });
});

describe('what the board shows', () => {
  const TASK = { family: 'video', fence: 3, model: 'videogen-2', operation: 'extend', accountId: 'acct_1' } as const;
  let board: Queue;
  beforeEach(() => {
    board = new Queue('video', { connection: { url: testRedisUrl() }, prefix: `{${prefix}}` });
  });
  afterEach(() => board.close());

  /** Consumes jobs whose steps end so; undefined: there was nothing to do. */
  function endWith(end: StepEnd | undefined): string[] {
    const taken: string[] = [];
    const handle = async ({ taskId }: TaskJob) => {
      taken.push(taskId);
      return end;
    };
    queues.consumeTasks('video', handle, { concurrency: 1 });
    return taken;
  }

  it('is a job that waits, by its model and operation, with its account and attempt', async () => {
    const taskId = newTaskId();
    await queues.enqueueTask({ ...TASK, taskId, attemptsMade: 2 });
    const data = { v: 1, taskId, fence: 3, accountId: 'acct_1', attemptsMade: 2 };
    expect(await board.getWaiting()).toMatchObject([{ id: `${taskId}-3`, name: 'videogen-2 extend', data }]);
  });

  it('is a step that was taken, with its outcome', async () => {
    await queues.enqueueTask({ ...TASK, taskId: newTaskId() });
    endWith({ outcome: 'accepted' });
    await until(async () => (await board.getCompletedCount()) === 1, 'the job is kept');
    expect(await board.getCompleted()).toMatchObject([
      { name: 'videogen-2 extend', returnvalue: { outcome: 'accepted' } },
    ]);
  });

  it('is a step that failed, with its reason, which ends no other', async () => {
    await queues.enqueueTasks(
      'video',
      [1, 2].map((fence) => ({ ...TASK, taskId: newTaskId(), fence })),
    );
    endWith({ outcome: 'failed', failure: 'content_refused' });
    await until(async () => (await board.getFailedCount()) === 2, 'the jobs are kept');
    expect(await board.getFailed()).toMatchObject(
      [1, 2].map(() => ({ failedReason: 'content_refused', stacktrace: [] })),
    );
  });

  it('is no job that had nothing to do, so that one with its id can come again', async () => {
    const task = { ...TASK, taskId: newTaskId() };
    const taken = endWith(undefined);
    for (const count of [1, 2]) {
      await queues.enqueueTask(task);
      await until(() => taken.length === count, `job ${count}`);
      await until(async () => (await board.getJob(`${task.taskId}-3`)) === undefined, 'it is gone');
    }
  });

  it('is no more than a thousand jobs, and none of more than an hour ago', async () => {
    const old = newTaskId();
    await queues.enqueueTask({ ...TASK, taskId: old });
    endWith({ outcome: 'waiting' });
    await until(async () => (await board.getCompletedCount()) === 1, 'the job is kept');
    const redis = openRedis(testRedisUrl(), {});
    await redis.zadd(board.toKey('completed'), Date.now() - 3_601_000, `${old}-3`);
    redis.disconnect();
    await queues.enqueueTask({ ...TASK, taskId: newTaskId() });
    await until(async () => (await board.getJob(`${old}-3`)) === undefined, 'the old one is gone');
    await queues.enqueueTasks(
      'video',
      Array.from({ length: 1005 }, () => ({ ...TASK, taskId: newTaskId() })),
    );
    await until(async () => (await board.getWaitingCount()) + (await board.getActiveCount()) === 0, 'all were taken');
    expect(await board.getCompletedCount()).toBe(1000);
  });

  it('stands in the way of no step that the database has lost', async () => {
    const task = { ...TASK, taskId: newTaskId() };
    const taken = endWith({ outcome: 'succeeded' });
    await queues.enqueueTask(task);
    await until(async () => (await board.getCompletedCount()) === 1, 'the job is kept');
    const missing = await queues.findMissing('video', [task]);
    expect(missing).toEqual([task]);
    await queues.enqueueTasks('video', missing);
    await until(() => taken.length === 2, 'the step is taken again');
  });
});

describe('jobs of callbacks', () => {
  const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `dlv_${index}`);

  it('that are enqueued together are few, and bring each callback once', async () => {
    const ids = namesOf(100);
    await Promise.all(ids.map((deliveryId) => queues.enqueueDelivery({ deliveryId, attemptsMade: 0 })));
    const counts = await queues.counts();
    expect(counts.find(({ name }) => name === 'deliveries')?.waiting).toBe(7);
    const heard: unknown[] = [];
    queues.consumeDeliveries(async (job) => void heard.push(job), { concurrency: 4 });
    await until(() => heard.length === 100, 'all were handled');
    expect(heard).toEqual(expect.arrayContaining(ids.map((deliveryId) => ({ v: 1, deliveryId, attemptsMade: 0 }))));
  });

  it('of later attempts, and those that are distinct, are each their own', async () => {
    const deliveries = namesOf(3).map((deliveryId) => ({ deliveryId, attemptsMade: 1 }));
    await Promise.all(deliveries.map((delivery) => queues.enqueueDelivery(delivery)));
    await queues.enqueueDelivery({ deliveryId: 'dlv_9', attemptsMade: 0, distinct: 'again' });
    const counts = await queues.counts();
    expect(counts.find(({ name }) => name === 'deliveries')?.waiting).toBe(4);
  });
});

describe('a consumer', () => {
  it('finishes what it has in flight before it is closed, and takes nothing more', async () => {
    let finish: () => void = () => undefined;
    const inFlight = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const log: string[] = [];
    const consumer = queues.consumeTasks(
      'video',
      async () => {
        log.push('taken');
        await inFlight;
        log.push('finished');
      },
      { concurrency: 1 },
    );
    await queues.enqueueTask({ family: 'video', taskId: newTaskId(), fence: 0 });
    await until(() => log.length === 1, 'the job is in flight');
    const closed = consumer.close().then(() => log.push('closed'));
    await queues.enqueueTask({ family: 'video', taskId: newTaskId(), fence: 0 });
    finish();
    await closed;
    expect(log).toEqual(['taken', 'finished', 'closed']);
  });

  it('that is being closed leaves what comes then to the next', async () => {
    for (let round = 0; round < 20; round += 1) {
      const taken: string[] = [];
      const closing = queues.consumeTasks('music', async () => void taken.push('closing'), { concurrency: 2 });
      await until(() => closing.running(), 'it takes jobs');
      const closed = closing.close();
      await queues.enqueueTask({ family: 'music', taskId: newTaskId(), fence: 0 });
      await closed;
      const next = queues.consumeTasks('music', async () => void taken.push('next'), { concurrency: 2 });
      await until(() => taken.length > 0, 'the job is taken');
      await next.close();
      expect(taken).toEqual(['next']);
    }
  });
});

describe('a consumer is not alive', () => {
  const AN_HOUR_MS = 3_600_000;
  let time: number;
  let consumer: Consumer;
  /** BullMQ's worker beneath it. */
  let worker: Worker;
  let begun: number;
  let ended: number;
  let finish: () => void;

  beforeEach(async () => {
    [time, begun, ended] = [0, 0, 0];
    const inFlight = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const run = jest.spyOn(Worker.prototype, 'run');
    const handle = async () => {
      begun += 1;
      await inFlight;
      ended += 1;
    };
    consumer = queues.consumeTasks('video', async () => void (await handle()), { concurrency: 1, now: () => time });
    worker = run.mock.contexts[0] as Worker;
    run.mockRestore();
    await until(() => consumer.running(), 'it takes jobs');
  });
  afterEach(() => finish());

  it('once its loop has ended by itself', async () => {
    expect(consumer.isAlive()).toBe(true);
    await worker.pause();
    expect(consumer.isAlive()).toBe(false);
  });

  it('once its loop has not looked for a minute, and is again after the next look', async () => {
    await worker.waitUntilReady();
    time += AN_HOUR_MS;
    expect(consumer.isAlive()).toBe(false);
    await queues.enqueueTask({ family: 'video', taskId: newTaskId(), fence: 0 });
    await until(() => consumer.isAlive(), 'it has looked');
  });

  it('but is while all its slots are taken, however long, and for a minute after', async () => {
    await queues.enqueueTask({ family: 'video', taskId: newTaskId(), fence: 0 });
    await until(() => begun === 1, 'the job is in flight');
    time += AN_HOUR_MS;
    expect(consumer.isAlive()).toBe(true);
    finish();
    await until(() => ended === 1, 'the job has ended');
    expect(consumer.isAlive()).toBe(true);
  });

  it('but is while it is paused or closed', async () => {
    await consumer.pause();
    time += AN_HOUR_MS;
    expect(consumer.isAlive()).toBe(true);
    consumer.resume();
    expect(consumer.isAlive()).toBe(true);
    await consumer.close();
    time += AN_HOUR_MS;
    expect(consumer.isAlive()).toBe(true);
  });
});

describe('a queue that lost everything', () => {
  it('is noticed once', async () => {
    expect(await queues.jobsWereLost()).toBe(true);
    expect(await queues.jobsWereLost()).toBe(false);
    const again = openQueues({ redisUrl: testRedisUrl(), prefix: uniquePrefix() });
    expect(await again.jobsWereLost()).toBe(true);
    await again.close();
  });
});
