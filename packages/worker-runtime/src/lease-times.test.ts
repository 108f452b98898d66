import { CONNECT_TIMEOUT_MS, LEFT_FOR_MS, leaseTimes, SILENCE_MS } from '@mediagate/database';
import { STATEMENT_TIMEOUT_MS } from './open-worker';
import { MOST_RETRY_MS } from './outlive-outage';
import { workerSettings } from './worker-settings';

const DEFAULT_MS = workerSettings.LEASE_SECONDS.default * 1000;
/** Shorter leases are for tests. */
const SHORTEST_MS = 12_100;
/** Until a statement on a connection that hangs has failed. */
const HUNG_MS = STATEMENT_TIMEOUT_MS + SILENCE_MS;
const LONGEST_MS = workerSettings.LEASE_SECONDS.max * 1000;
/** To open a connection to a database that answers, and for one statement there. */
const ANSWERED_MS = 1000;
/** The reconciler looks each second. */
const LOOKED_FOR_MS = 1000;

describe.each([SHORTEST_MS, DEFAULT_MS, 60_000, LONGEST_MS])('a lease of %d ms', (leaseMs) => {
  const { renewEveryMs, retryAfterMs } = leaseTimes(leaseMs);

  it('outlives a connection that hangs, and the opening of another', () => {
    expect(renewEveryMs + HUNG_MS + retryAfterMs + CONNECT_TIMEOUT_MS).toBeLessThanOrEqual(leaseMs);
  });

  it('has one renewal under way at a time', () => {
    expect(HUNG_MS).toBeLessThan(renewEveryMs);
  });

  it('leaves its task, when it has lapsed, until a worker has come back whose last try has just failed', () => {
    const pauseMs = Math.max(retryAfterMs, MOST_RETRY_MS);
    expect(CONNECT_TIMEOUT_MS + pauseMs + ANSWERED_MS).toBeLessThanOrEqual(LEFT_FOR_MS);
  });
});

it('by default, the tasks of a dead worker are in other hands within 20 s', () => {
  expect(DEFAULT_MS + LEFT_FOR_MS + LOOKED_FOR_MS).toBeLessThanOrEqual(20_000);
});
