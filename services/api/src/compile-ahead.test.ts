import { compileAhead } from './compile-ahead';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Compiles `count` schemas; returns the closers of the process and the numbers of the compiled schemas. */
function open(count: number) {
  const compiled: number[] = [];
  const closers: (() => unknown)[] = [];
  function* compile(): Generator<never, undefined> {
    for (let index = 0; index < count; index += 1) yield compiled.push(index) as never;
  }
  compileAhead({ defer: (_name, close) => closers.push(close) }, { compile });
  return { compiled, closers };
}

it('compiles every schema once, each in a turn of its own, and then stops looking', () => {
  const { compiled } = open(3);
  expect(compiled).toEqual([]);
  jest.advanceTimersByTime(5);
  expect(compiled).toEqual([0]);
  jest.advanceTimersByTime(100);
  expect(compiled).toEqual([0, 1, 2]);
  expect(jest.getTimerCount()).toBe(0);
});

it('ends with its process', () => {
  const { compiled, closers } = open(3);
  for (const close of closers) close();
  jest.advanceTimersByTime(100);
  expect(compiled).toEqual([]);
});
