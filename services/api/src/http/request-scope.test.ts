import { EventEmitter } from 'node:events';
import { RequestScope } from './request-scope';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const MOMENT_MS = 10;

it('clears its timers, removes its listeners and releases what it owns, each once', () => {
  const scope = new RequestScope('request');
  const emitter = new EventEmitter();
  const seen: string[] = [];
  scope.after(MOMENT_MS, () => seen.push('timer'));
  scope.on(emitter, 'event', () => seen.push('listener'));
  scope.onClose(() => seen.push('released'));
  scope.close();
  scope.close();
  emitter.emit('event');
  expect([jest.getTimerCount(), seen]).toEqual([0, ['released']]);
});

it('closes the scopes that were opened within it, which may be closed before', () => {
  const scope = new RequestScope('request');
  const [first, second] = [scope.open(), scope.open()];
  const ran: string[] = [];
  first.after(MOMENT_MS, () => ran.push('first'));
  second.after(MOMENT_MS, () => ran.push('second'));
  first.close();
  expect(jest.getTimerCount()).toBe(1);
  scope.close();
  expect([jest.getTimerCount(), second.closed, ran]).toEqual([0, true, []]);
});

it('runs nothing that is added to it after its end, but releases it', () => {
  const scope = new RequestScope('request');
  scope.close();
  const emitter = new EventEmitter();
  let isReleased = false;
  scope.after(MOMENT_MS, () => undefined);
  scope.on(emitter, 'event', () => undefined);
  scope.onClose(() => {
    isReleased = true;
  });
  const late = [jest.getTimerCount(), emitter.listenerCount('event'), scope.open().closed, isReleased];
  expect(late).toEqual([0, 0, true, true]);
});

it('lets a timer of a timer run, one after the other', () => {
  const scope = new RequestScope('request');
  const ran: number[] = [];
  const again = (turn: number) => {
    ran.push(turn);
    if (turn < 3) scope.after(MOMENT_MS, () => again(turn + 1));
  };
  again(1);
  jest.advanceTimersByTime(2 * MOMENT_MS);
  expect([ran, jest.getTimerCount()]).toEqual([[1, 2, 3], 0]);
});
