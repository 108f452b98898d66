import { newTaskId } from '@mediagate/contracts';
import { holdLease, type Lease } from './lease';

const LEASE_MS = 3000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A lease whose renewals answer as the test says. */
function hold({ renew = async () => true, msToDeadline = 60_000, claimedMsAgo = 0 } = {}) {
  let renewals = 0;
  const renewTaskLease = () => {
    renewals += 1;
    return renew();
  };
  const lease = holdLease(
    { renewTaskLease },
    { id: newTaskId(), fence: 1 },
    { leaseMs: LEASE_MS, msToDeadline, claimAskedAt: performance.now() - claimedMsAgo },
  );
  return { lease, renewals: () => renewals };
}

describe('a lease', () => {
  it('is renewed three times in its length, for as long as the step runs', async () => {
    const { lease, renewals } = hold();
    await jest.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(renewals()).toBe(30);
    expect([lease.ended(), lease.stillLeased(), lease.signal.aborted]).toEqual(['leased', true, false]);
    lease.release();
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(renewals()).toBe(30);
  });

  it('is renewed together with the others of its process, whenever their steps began', async () => {
    const moments = new Set<number>();
    const renew = async () => {
      moments.add(Math.round(performance.now() / 10));
      return true;
    };
    const held: { lease: Lease }[] = [];
    for (let step = 0; step < 20; step += 1) {
      held.push(hold({ renew }));
      await jest.advanceTimersByTimeAsync(LEASE_MS / 97);
    }
    moments.clear();
    await jest.advanceTimersByTimeAsync(LEASE_MS - 10);
    expect(moments.size).toBe(6);
    for (const { lease } of held) lease.release();
  });

  it('ends the step as soon as a renewal is refused', async () => {
    const { lease } = hold({ renew: async () => false });
    await jest.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect([lease.ended(), lease.stillLeased(), lease.signal.aborted]).toEqual(['lost', false, true]);
    lease.release();
  });

  it('lets what is under way go on while the database is away, and nothing new begin once its length has passed', async () => {
    const { lease } = hold({ renew: () => Promise.reject(new Error('away')) });
    await jest.advanceTimersByTimeAsync(LEASE_MS - 1);
    expect([lease.ended(), lease.stillLeased()]).toEqual(['leased', true]);
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect([lease.ended(), lease.stillLeased(), lease.signal.aborted]).toEqual(['leased', false, false]);
    lease.release();
  });

  it('is renewed as soon as a database that was away answers again', async () => {
    let isAway = true;
    const { lease, renewals } = hold({
      renew: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(true)),
    });
    await jest.advanceTimersByTimeAsync(LEASE_MS / 3);
    isAway = false;
    await jest.advanceTimersByTimeAsync(LEASE_MS / 20);
    expect(renewals()).toBe(2);
    await jest.advanceTimersByTimeAsync(LEASE_MS - 1);
    expect(lease.stillLeased()).toBe(true);
    lease.release();
  });

  it('asks no more once it is released, whatever the last renewal came to', async () => {
    const { lease, renewals } = hold({ renew: () => Promise.reject(new Error('away')) });
    await jest.advanceTimersByTimeAsync(LEASE_MS / 3);
    lease.release();
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(renewals()).toBe(1);
  });

  it('is known to be over by a process that was frozen, before any timer has run', () => {
    const { lease } = hold({ claimedMsAgo: LEASE_MS + 1 });
    expect(lease.ended()).toBe('leased');
    expect(lease.stillLeased()).toBe(false);
    lease.release();
  });

  it('ends with the deadline of the task, and says so whatever comes after', async () => {
    let answer = true;
    const { lease } = hold({ renew: async () => answer, msToDeadline: 5000 });
    await jest.advanceTimersByTimeAsync(5000);
    answer = false;
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect([lease.ended(), lease.signal.aborted]).toEqual(['deadline', true]);
    lease.release();
  });
});
