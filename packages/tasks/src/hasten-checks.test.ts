import type { TaskId } from '@mediagate/contracts';
import { CheckHastener } from './hasten-checks';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const SHOWN = { model: 'videogen', operation: 'generate', accountId: 'acct_1', attemptsMade: 1 };

function open(run: (ids: readonly string[]) => void = () => undefined) {
  const [asked, failed]: [string[][], unknown[]] = [[], []];
  const enqueueTask = jest.fn(async () => undefined);
  const hastener = new CheckHastener({
    database: {
      async hastenChecks(ids) {
        asked.push([...ids]);
        run(ids);
        return ids.map((id) => ({ id: `task_${id}` as TaskId, family: 'video' as const, fence: 1, ...SHOWN }));
      },
    },
    enqueueTask,
    onFailed: (error) => failed.push(error),
  });
  const hasten = (attemptId: string, channelTag = 'channel') => hastener.hasten({ attemptId, channelTag });
  return { hastener, hasten, asked, failed, enqueueTask };
}

it('asks for a job at once where nothing else waits, and once, however often its vendor calls back meanwhile', async () => {
  const { hasten, asked, enqueueTask } = open();
  for (let call = 0; call < 5_000; call += 1) hasten('a');
  hasten('b');
  await jest.advanceTimersByTimeAsync(0);
  expect(asked).toEqual([['a', 'b']]);
  hasten('c');
  await jest.advanceTimersByTimeAsync(199);
  expect(asked).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(800);
  expect(asked).toEqual([['a', 'b'], ['c']]);
  expect(enqueueTask).toHaveBeenCalledTimes(3);
});

it('asks the database five times a second at most, and drops what would wait beyond a thousand jobs', async () => {
  const { hasten, asked } = open();
  for (let job = 0; job < 30_000; job += 1) hasten(`job-${job}`, `channel-${job % 30}`);
  await jest.advanceTimersByTimeAsync(999);
  expect(asked).toHaveLength(5);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(asked.flat().length).toBeGreaterThan(900);
  expect(asked.flat().length).toBeLessThanOrEqual(1_000);
});

it('has a place, and the next turn, for a channel while the vendor of another reports very many', async () => {
  const { hasten, asked } = open();
  for (let job = 0; job < 3_000; job += 1) hasten(`noisy-${job}`, 'noisy');
  hasten('quiet', 'quiet');
  await jest.advanceTimersByTimeAsync(0);
  expect(asked[0]?.slice(0, 2)).toEqual(['noisy-0', 'quiet']);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(asked.flat()).toHaveLength(501);
});

it('keeps what a database did not answer for the next look', async () => {
  let isAway = true;
  const { hasten, asked, failed, enqueueTask } = open(() => {
    if (isAway) throw new Error('away');
  });
  hasten('a');
  await jest.advanceTimersByTimeAsync(0);
  isAway = false;
  hasten('b');
  await jest.advanceTimersByTimeAsync(200);
  expect([asked, failed.length]).toEqual([[['a'], ['a', 'b']], 1]);
  expect(enqueueTask).toHaveBeenCalledTimes(2);
  expect(jest.getTimerCount()).toBe(0);
});

it('looks no more once it is stopped', async () => {
  const { hastener, hasten, asked } = open();
  hasten('a');
  hastener.stop();
  hasten('b');
  await jest.advanceTimersByTimeAsync(1_000);
  expect([asked, jest.getTimerCount()]).toEqual([[], 0]);
});
