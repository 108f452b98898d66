import type { Clock } from '../clock';
import type { AccountLimits, Wire } from './contract';
import { createRateWindow, type RateWindow } from './rate-window';

/** Our account at one vendor: what it may do, and what of that is used. Tests move the limits while calls go on. */
export interface Account {
  rateWindow: RateWindow;
  /** Calls that are being waited for; jobs are counted by the store that keeps them. */
  waitedFor: number;
  limits(): Limits;
  /** Limits that are not given become as wide as at the start. */
  limit(limits: AccountLimits): void;
}

export interface Limits {
  requestsPerMinute: number;
  concurrentJobs: number;
}

export function createAccount(clock: Clock, wide: Limits): Account {
  let limits = wide;
  const rateWindow = createRateWindow(clock, () => limits.requestsPerMinute);
  const limit = ({ requestsPerMinute, concurrentJobs }: AccountLimits) => {
    limits = {
      requestsPerMinute: requestsPerMinute ?? wide.requestsPerMinute,
      concurrentJobs: concurrentJobs ?? wide.concurrentJobs,
    };
    rateWindow.reset();
  };
  return { rateWindow, waitedFor: 0, limits: () => limits, limit };
}

/** Why this vendor never refuses by such a limit; undefined when it does. */
export function noSuchLimit({ words }: Wire, { requestsPerMinute, concurrentJobs }: AccountLimits): string | undefined {
  const needed = [
    requestsPerMinute === undefined ? undefined : words['rate-limit'],
    concurrentJobs === undefined ? undefined : words.concurrency,
  ];
  return needed.find((word) => typeof word === 'string');
}
