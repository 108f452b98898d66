import { spareMemoryUnderPressure } from './memory-pressure';

const MIB = 1024 * 1024;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** The settings that the collector gets while so many MiB press, one look after the other. */
function toldAt(...mebibytes: number[]): (boolean | undefined)[] {
  let pressing = 0;
  let told: boolean | undefined;
  const closers: (() => unknown)[] = [];
  spareMemoryUnderPressure(
    { defer: (_name, close) => closers.push(close) },
    {
      pressingBytes: () => pressing,
      spareMemory(isSpared) {
        told = isSpared;
      },
    },
  );
  const all = mebibytes.map((each) => {
    told = undefined;
    pressing = each * MIB;
    jest.advanceTimersByTime(50);
    return told;
  });
  for (const close of closers) close();
  expect(jest.getTimerCount()).toBe(0);
  return all;
}

it('spares memory from much on until there is little, and says each once', () => {
  expect(toldAt(5, 64, 65, 200, 33)).toEqual([undefined, undefined, true, undefined, undefined]);
  expect(toldAt(65, 33, 32, 64, 65)).toEqual([true, undefined, false, undefined, true]);
});

it('leaves a process that serves small requests alone', () => {
  expect(toldAt(5, 20, 60)).toEqual([undefined, undefined, undefined]);
});
