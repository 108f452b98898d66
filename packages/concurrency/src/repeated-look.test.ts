import { RepeatedLook } from './repeated-look';

const EVERY_MS = 100;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function open(look: () => Promise<void>) {
  const errors: unknown[] = [];
  let isWanted = true;
  const repeated = new RepeatedLook({
    everyMs: EVERY_MS,
    isWanted: () => isWanted,
    look,
    onError: (error) => errors.push(error),
  });
  return { repeated, errors, wantNoMore: () => (isWanted = false) };
}

describe('a repeated look', () => {
  it('comes again after a failure, and ends when nothing is wanted', async () => {
    let looks = 0;
    const { repeated, errors, wantNoMore } = open(async () => {
      looks += 1;
      if (looks === 1) throw new Error('away');
    });
    repeated.start();
    repeated.start();
    await jest.advanceTimersByTimeAsync(2 * EVERY_MS);
    wantNoMore();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect([looks, errors.length, jest.getTimerCount()]).toEqual([3, 1, 0]);
  });

  it('waits for the one before, and never comes after the end', async () => {
    let looks = 0;
    let finish = () => {};
    const { repeated } = open(() => {
      looks += 1;
      return new Promise((resolve) => (finish = resolve));
    });
    repeated.start();
    await jest.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(looks).toBe(1);
    repeated.stop();
    finish();
    await jest.advanceTimersByTimeAsync(5 * EVERY_MS);
    repeated.start();
    expect([looks, jest.getTimerCount()]).toEqual([1, 0]);
  });
});
