import type { TaskId } from '@mediagate/contracts';
import { createCheckHastener } from './hasten-checks';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function open(run: (ids: readonly string[]) => void = () => undefined) {
  const [asked, failed]: [string[][], unknown[]] = [[], []];
  const enqueueTask = jest.fn(async () => undefined);
  const hasten = createCheckHastener({
    database: {
      async hastenChecks(ids) {
        asked.push([...ids]);
        run(ids);
        return ids.map((id) => ({ id: `task_${id}` as TaskId, family: 'video' as const, fence: 1 }));
      },
    },
    enqueueTask,
    onFailed: (error) => failed.push(error),
  });
  return { hasten, asked, failed, enqueueTask };
}

it('asks for a job once, however often its vendor calls back meanwhile', async () => {
  const { hasten, asked, enqueueTask } = open();
  for (let call = 0; call < 5_000; call += 1) hasten('a');
  hasten('b');
  await jest.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([['a', 'b']]);
  expect(enqueueTask).toHaveBeenCalledTimes(2);
});

it('asks the database five times a second at most, and drops what would wait beyond a thousand jobs', async () => {
  const { hasten, asked } = open();
  for (let job = 0; job < 3_000; job += 1) hasten(`job-${job}`);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(asked).toHaveLength(5);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(asked.flat()).toHaveLength(1_000);
});

it('goes on after a database that did not answer', async () => {
  let isAway = true;
  const { hasten, asked, failed } = open(() => {
    if (isAway) throw new Error('away');
  });
  hasten('a');
  await jest.advanceTimersByTimeAsync(200);
  isAway = false;
  hasten('b');
  await jest.advanceTimersByTimeAsync(200);
  expect([asked, failed.length]).toEqual([[['a'], ['b']], 1]);
});
