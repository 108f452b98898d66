import { type AttemptOutcome, decide, hasAttemptLeft, retryIfLostMs } from './retry-schedule';

const DELAYS_MS = [10_000, 30_000, 60_000];
const answered = (status: number): AttemptOutcome => ({ kind: 'answered', status });
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('decide', () => {
  it('takes every 2xx status as delivered, at any attempt', () => {
    for (const status of range(200, 299)) {
      for (const attempt of [1, 2, 3, 4]) {
        expect(decide(attempt, answered(status), DELAYS_MS)).toEqual({ state: 'delivered' });
      }
    }
  });

  it('ends at once on every 3xx and 4xx status, 408 and 429 included', () => {
    for (const status of range(300, 499)) {
      expect(decide(1, answered(status), DELAYS_MS)).toEqual({ state: 'rejected', reason: `http_${status}` });
    }
  });

  it.each([
    [1, 10_000],
    [2, 30_000],
    [3, 60_000],
  ])('after failed attempt %i waits %i ms', (attemptsMade, retryAfterMs) => {
    for (const status of range(500, 599)) {
      expect(decide(attemptsMade, answered(status), DELAYS_MS)).toEqual({
        state: 'pending',
        reason: `http_${status}`,
        retryAfterMs,
      });
    }
    const outcome: AttemptOutcome = { kind: 'unanswered', reason: 'timeout' };
    expect(decide(attemptsMade, outcome, DELAYS_MS)).toEqual({ state: 'pending', reason: 'timeout', retryAfterMs });
  });

  it('gives up after the fourth request, saying what the last one met', () => {
    expect(decide(4, answered(503), DELAYS_MS)).toEqual({ state: 'exhausted', reason: 'http_503' });
    expect(decide(4, { kind: 'unanswered', reason: 'network' }, DELAYS_MS)).toEqual({
      state: 'exhausted',
      reason: 'network',
    });
    expect(decide(5, answered(503), DELAYS_MS)).toEqual({ state: 'exhausted', reason: 'http_503' });
  });

  it.each([100, 101, 103, 199, 600, 999, 0])('tries again after the odd status %i', (status) => {
    expect(decide(1, answered(status), DELAYS_MS)).toMatchObject({ state: 'pending', retryAfterMs: 10_000 });
  });

  it('drops a delivery whose address the guarded client refused, at any attempt', () => {
    for (const attempt of [1, 4]) {
      expect(decide(attempt, { kind: 'blocked', reason: 'blocked_address' }, DELAYS_MS)).toEqual({
        state: 'dropped',
        reason: 'blocked_address',
      });
    }
  });

  it('without delays makes one request only', () => {
    expect(decide(1, answered(500), [])).toEqual({ state: 'exhausted', reason: 'http_500' });
  });

  it('never lets a series of failures reach more requests than delays plus one', () => {
    for (const delays of [[], [1], [1, 2], DELAYS_MS]) {
      let attempts = 0;
      let pending = true;
      while (pending && attempts < 100) {
        attempts += 1;
        pending = decide(attempts, answered(500), delays).state === 'pending';
      }
      expect(attempts).toBe(delays.length + 1);
    }
  });
});

describe('hasAttemptLeft', () => {
  it('is true until four attempts were started', () => {
    expect([0, 1, 2, 3, 4, 5].map((made) => hasAttemptLeft(made, DELAYS_MS))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('retryIfLostMs', () => {
  it('is the time limit and the delay of the attempt that starts; the last one has no delay', () => {
    expect([0, 1, 2, 3].map((before) => retryIfLostMs(before, 10_000, DELAYS_MS))).toEqual([
      20_000, 40_000, 70_000, 10_000,
    ]);
  });
});
