import { spareMemoryWhenIdle } from './spare-memory';

const MIB = 1024 * 1024;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Whether each look collects, with so many MiB of heap and so much work since the look before. */
function collectsAt(...looks: { mebibytes: number; busy?: number }[]): boolean[] {
  let now = { mebibytes: 0, busy: 0 };
  let collections = 0;
  const closers: (() => unknown)[] = [];
  spareMemoryWhenIdle(
    { defer: (_name, close) => closers.push(close) },
    {
      heapBytes: () => now.mebibytes * MIB,
      busyShare: () => now.busy,
      collect: () => {
        collections += 1;
      },
    },
  );
  const all = looks.map(({ mebibytes, busy = 0 }) => {
    const before = collections;
    now = { mebibytes, busy };
    jest.advanceTimersByTime(10_000);
    return collections > before;
  });
  for (const close of closers) close();
  expect(jest.getTimerCount()).toBe(0);
  return all;
}

it('collects what the start left, and again once the heap has grown by 8 MiB over what stayed', () => {
  expect(collectsAt({ mebibytes: 90 }, { mebibytes: 65 }, { mebibytes: 72 }, { mebibytes: 73 })).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it('does not collect again and again where nothing is given back', () => {
  expect(collectsAt({ mebibytes: 90 }, { mebibytes: 90 }, { mebibytes: 92 })).toEqual([true, false, false]);
});

it('leaves a process that works to the engine, until it is idle', () => {
  expect(
    collectsAt({ mebibytes: 90, busy: 0.1 }, { mebibytes: 120, busy: 0.9 }, { mebibytes: 120, busy: 0.05 }),
  ).toEqual([false, false, true]);
});
