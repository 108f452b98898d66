import { checkPauseMs } from './pauses';

describe('the pause between checks', () => {
  it.each([
    [0, 2000],
    [20_000, 2000],
    [50_000, 5000],
    [100_000, 10_000],
    [3_600_000, 10_000],
  ])('after %d ms is %d ms', (ageMs, pauseMs) => {
    expect(checkPauseMs({ fromMs: 2000, toMs: 10_000 }, ageMs)).toBe(pauseMs);
  });
});
