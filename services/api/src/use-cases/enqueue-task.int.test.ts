import { PassThrough } from 'node:stream';
import { newTaskId } from '@mediagate/contracts';
import { createLogger } from '@mediagate/host';
import { openQueues, type Queues } from '@mediagate/queue';
import { testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { type BookedTask, createEnqueueTask } from './enqueue-task';

const entryOf = (family: 'image' | 'tts') => ({ family, id: `${family}gen`, operation: 'generate' });

const WINDOW = 50;
/** One batch of a process may be on its way while another one counts. */
const TOGETHER = 100;

let prefix: string;
let opened: Queues[];
beforeEach(() => {
  prefix = uniquePrefix();
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((queues) => queues.close()));
});

function open(): Queues {
  const queues = openQueues({ redisUrl: testRedisUrl(), prefix });
  opened.push(queues);
  return queues;
}

/** Stands for one process of the API; `settled` resolves once everything was enqueued or left to the dispatcher. */
function openApi() {
  const queues = open();
  const logger = createLogger({ service: 'test', level: 'error', format: 'json', output: new PassThrough() });
  const pending: Promise<unknown>[] = [];
  const watched = <Arguments extends unknown[], T>(method: (...args: Arguments) => Promise<T>) => {
    return (...args: Arguments) => {
      const answer = method(...args);
      pending.push(answer);
      return answer;
    };
  };
  const enqueue = createEnqueueTask({
    queues: {
      enqueueTasks: watched((...args) => queues.enqueueTasks(...args)),
      enqueueStarts: watched((...args) => queues.enqueueStarts(...args)),
      countStarts: watched((...args) => queues.countStarts(...args)),
      countWaiting: watched((...args) => queues.countWaiting(...args)),
    },
    logger,
    windowJobs: WINDOW,
  });
  return {
    queues,
    submit(count: number, more: Partial<BookedTask> = {}) {
      for (let index = 0; index < count; index += 1) {
        enqueue({ entry: entryOf('image'), taskId: newTaskId(), owner: { accountId: 'acct_a' }, ...more });
      }
    },
    async settled() {
      for (let seen = -1; seen !== pending.length; ) {
        seen = pending.length;
        await Promise.all(pending);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

describe('enqueueing after a submission', () => {
  it('goes on while the window is not full, and leaves the rest to the dispatcher', async () => {
    const api = openApi();
    api.submit(300);
    await api.settled();
    expect(await api.queues.countWaiting('image')).toEqual({ steps: 0, light: 4, fair: WINDOW });
  });

  it('by three processes at once goes beyond the window by what each has on its way, and no more', async () => {
    const apis = [openApi(), openApi(), openApi()];
    for (let round = 0; round < 10; round += 1) {
      for (const api of apis) api.submit(100);
      await Promise.all(apis.map((api) => api.settled()));
    }
    const { fair } = await open().countWaiting('image');
    expect(fair).toBeGreaterThanOrEqual(WINDOW);
    expect(fair).toBeLessThanOrEqual(WINDOW + 2 * Math.min(WINDOW, TOGETHER));
  });

  it('lets an account that begins few pass one that floods', async () => {
    const api = openApi();
    api.submit(300);
    await api.settled();
    const taskId = newTaskId();
    api.submit(1, { taskId, owner: { accountId: 'acct_b' } });
    await api.settled();
    expect((await api.queues.countWaiting('image')).light).toBe(5);
    expect(await api.queues.findMissing('image', [{ taskId, fence: 0 }])).toEqual([]);
  });

  it('lets no test pass what is paid for, and does not count tests as what their account has begun', async () => {
    const api = openApi();
    api.submit(20, { owner: { accountId: 'acct_c', isTest: true } });
    await api.settled();
    expect(await api.queues.countWaiting('image')).toMatchObject({ light: 0, fair: 20 });
    api.submit(1, { owner: { accountId: 'acct_c' } });
    await api.settled();
    expect(await api.queues.countWaiting('image')).toMatchObject({ light: 1, fair: 20 });
  });

  it('knows no window for speech, whose callers wait', async () => {
    const api = openApi();
    api.submit(300, { entry: entryOf('tts') });
    await api.settled();
    expect(await api.queues.countWaiting('tts')).toEqual({ steps: 300, light: 0, fair: 0 });
  });
});
