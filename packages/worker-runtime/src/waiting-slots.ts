import { Slots } from '@mediagate/concurrency';

/** Parts of a family's concurrency for work that waits for others' servers, so that it never takes all of it. */
export interface WaitingSlots {
  /** Files of callers, by the hosts that have them, too. */
  files: Slots;
  /** Starts of test tasks: a quarter of the family's concurrency, and half of that for one account. */
  starts: Slots;
  /** Checks of accepted jobs, by channel, too. */
  checks: Slots;
  /** Checks of jobs whose last check failed: those that hang again must not take the slots of others. */
  repeatedChecks: Slots;
  /** Results of accepted jobs that are being fetched, by channel, too. */
  results: Slots;
}

/** A smaller part would slow down channels that answer in time. */
const MIN_PART = 8;

export function createWaitingSlots(concurrency: number): WaitingSlots {
  const part = (share: number) => Math.max(MIN_PART, Math.floor(concurrency * share));
  return {
    files: new Slots({ capacity: part(1 / 4) }),
    starts: new Slots({ capacity: concurrency, perOwner: Math.ceil(concurrency / 8) }),
    checks: new Slots({ capacity: part(3 / 4), perOwner: part(1 / 2) }),
    repeatedChecks: new Slots({ capacity: part(1 / 8), perOwner: part(1 / 16) }),
    results: new Slots({ capacity: part(1 / 4) }),
  };
}
