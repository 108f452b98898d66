import { Linger } from './linger';

const MS = 1000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

function lingering({ isFree = true } = {}) {
  const slots = { held: 0 };
  const linger = new Linger(() => {
    if (!isFree) return undefined;
    slots.held += 1;
    const release = () => {
      slots.held -= 1;
    };
    return { release };
  });
  return { linger, slots, isOver: () => linger.signal.aborted };
}

it('a call of which nothing was sent ends as its caller leaves', () => {
  const { linger, slots, isOver } = lingering();
  linger.leave();
  expect([isOver(), slots.held]).toEqual([true, 0]);
  linger.end();
});

it('one that was sent goes on for the time, under one slot however often its caller leaves', () => {
  const { linger, slots, isOver } = lingering();
  linger.set(MS);
  linger.leave();
  linger.leave();
  jest.advanceTimersByTime(MS - 1);
  expect([isOver(), slots.held]).toEqual([false, 1]);
  jest.advanceTimersByTime(1);
  expect(isOver()).toBe(true);
  linger.end();
  linger.end();
  expect(slots.held).toBe(0);
});

it('without a slot it ends at once', () => {
  const { linger, isOver } = lingering({ isFree: false });
  linger.set(MS);
  linger.leave();
  expect(isOver()).toBe(true);
});

it('it ends when it is to go on no longer, and only if its caller has left', () => {
  const [left, stays] = [lingering(), lingering()];
  for (const { linger } of [left, stays]) linger.set(MS);
  left.linger.leave();
  for (const { linger } of [left, stays]) linger.set(0);
  expect([left.isOver(), stays.isOver()]).toEqual([true, false]);
  stays.linger.leave();
  expect(stays.isOver()).toBe(true);
});
