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

  it('reports the first of several failures in a row, then one in half a minute, and the next after a success', async () => {
    let fails = true;
    let looks = 0;
    const { repeated, errors } = open(async () => {
      looks += 1;
      if (fails) throw new Error('away');
    });
    repeated.start();
    await jest.advanceTimersByTimeAsync(29_000);
    expect([looks, errors.length]).toEqual([290, 1]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(errors).toHaveLength(2);
    for (fails of [false, true]) await jest.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(errors).toHaveLength(3);
  });

  it('that is prompt comes at once when the one before is long over, and else at its pace', async () => {
    let looks = 0;
    let isWanted = true;
    const look = async () => {
      looks += 1;
      isWanted = false;
    };
    const firstAtOnce = { everyMs: EVERY_MS, firstAtOnce: true, unref: true };
    const repeated = new RepeatedLook({ ...firstAtOnce, isWanted: () => isWanted, look, onError: () => undefined });
    const seen: number[] = [];
    // The third pause has a millisecond more than is left: a timer's time is a whole number of them.
    for (const pauseMs of [0, EVERY_MS - 1, 2, 5 * EVERY_MS]) {
      await jest.advanceTimersByTimeAsync(pauseMs);
      isWanted = true;
      repeated.start();
      await jest.advanceTimersByTimeAsync(0);
      seen.push(looks);
    }
    expect(seen).toEqual([1, 1, 2, 4]);
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
