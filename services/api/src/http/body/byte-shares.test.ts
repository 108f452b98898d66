import fc from 'fast-check';
import { ByteShares } from './byte-shares';

const LIMITS = { maxBytes: 1000, accountMaxOpen: 4, keyMaxOpen: 2, accountBytesPerSecond: 1000 };
const owner = (account: string, key = 'key') => ({ id: `${account}-${key}`, accountId: account });

function open(...accounts: string[]) {
  const memory = new ByteShares(LIMITS);
  const lease = (account: string, key?: string) => {
    const one = memory.lease();
    one.own(owner(account, key));
    return one;
  };
  return { memory, lease, leases: accounts.map((account) => lease(account)) };
}

/** The most that a lease still gets, bit by bit. */
function fill(lease: { take(bytes: number): unknown }): number {
  let bytes = 0;
  while (lease.take(1) === undefined) bytes += 1;
  return bytes;
}

describe('memory for bodies', () => {
  it('leaves as much free as one account may hold, whatever its keys', () => {
    const { lease } = open();
    const held = fill(lease('a', 'one')) + fill(lease('a', 'two')) + fill(lease('a', 'three'));
    expect(held).toBe(500);
    expect(lease('a', 'one').take(1)).toMatchObject({ code: 'rate_limited' });
    expect(lease('b').take(250)).toBeUndefined();
  });

  it('leaves an account room beside its hungriest key', () => {
    const { lease } = open();
    expect(fill(lease('a', 'one'))).toBe(416);
    expect(lease('a', 'two').take(84)).toBeUndefined();
  });

  it('has something left for one more account, however many crowd in', () => {
    const { lease } = open();
    for (let account = 0; account < 8; account += 1) {
      fill(lease(`account ${account}`, 'one'));
      fill(lease(`account ${account}`, 'two'));
    }
    expect(fill(lease('late'))).toBeGreaterThan(0);
  });

  it('says of the whole that it is spent, and of a share whose it is', () => {
    const { leases, memory } = open('a');
    expect(memory.lease().take(1001)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    expect(leases[0]?.take(600)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
  });

  it('bounds the bodies that are read at once, by key and by account', () => {
    const { lease } = open();
    const first = lease('a', 'one');
    expect([first, lease('a', 'one')].map((each) => each.open())).toEqual([undefined, undefined]);
    expect(lease('a', 'one').open()).toMatchObject({ code: 'rate_limited' });
    expect([lease('a', 'two'), lease('a', 'two')].map((each) => each.open())).toEqual([undefined, undefined]);
    expect(lease('a', 'three').open()).toMatchObject({ code: 'rate_limited' });
    expect(lease('b').open()).toBeUndefined();
    first.close();
    first.close();
    expect(lease('a', 'three').open()).toBeUndefined();
    expect(lease('a', 'one').open()).toMatchObject({ code: 'rate_limited' });
  });

  it('is as it was once everything was given back, once, in any order', () => {
    const steps = fc.array(
      fc.record({ account: fc.constantFrom('a', 'b', 'c'), key: fc.constantFrom('one', 'two'), bytes: fc.nat(400) }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, fc.boolean(), (taken, closes) => {
        const { lease, leases } = open('late');
        const all = taken.map(({ account, key, bytes }) => {
          const one = lease(account, key);
          one.open();
          one.take(bytes);
          if (closes) one.close();
          return one;
        });
        for (const one of all) one.release();
        for (const one of all) one.release();
        expect(leases[0]?.take(416)).toBeUndefined();
        expect(lease('a').open()).toBeUndefined();
      }),
    );
  });
});

describe('the speed at which bodies are read', () => {
  it('is the account’s, however many bodies and keys it has, and leaves other accounts theirs', () => {
    let now = 0;
    const memory = new ByteShares(LIMITS, () => now);
    const leaseOf = (account: string, key: string) => {
      const lease = memory.lease();
      lease.own(owner(account, key));
      return lease;
    };
    expect(leaseOf('a', 'one').pauseAfter(100)).toBe(100);
    expect(leaseOf('a', 'one').pauseAfter(100)).toBe(200);
    expect(leaseOf('a', 'two').pauseAfter(100)).toBe(300);
    expect(leaseOf('b', 'one').pauseAfter(100)).toBe(100);
    now = 250;
    expect(leaseOf('a', 'one').pauseAfter(100)).toBe(150);
    now = 5000;
    expect(leaseOf('a', 'one').pauseAfter(100)).toBe(100);
  });

  it('of bodies without a known key is one for all of them', () => {
    const memory = new ByteShares(LIMITS, () => 0);
    expect([memory.lease().pauseAfter(100), memory.lease().pauseAfter(100)]).toEqual([100, 200]);
  });
});

it('says in the log what is full: the memory for bodies, or what the shares are of', () => {
  const refusedBy = (of?: string) => new ByteShares({ ...LIMITS, ...(of && { of }) }).bytesRefused(1e12, undefined);
  expect(refusedBy()).toMatchObject({ internal: 'the memory for bodies is full' });
  expect(refusedBy('the work folder')).toMatchObject({ internal: 'the work folder is full' });
});
