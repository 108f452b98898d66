import { randomUUID } from 'node:crypto';
import { DeliverySlots, type SlotItem } from './delivery-slots';

const LIMITS = {
  total: 64,
  perHost: 4,
  perHostOfAccount: 2,
  perAccount: 3,
  slow: 4,
  slowMs: 2000,
  maxWaitingPerAccount: 10,
  maxWaiting: 15,
};
function item(accountId: string, host: string, id: string = randomUUID()): SlotItem {
  return { id, accountId, host };
}

describe('DeliverySlots', () => {
  it('gives a host its share and no more, whoever asks', () => {
    const slots = new DeliverySlots(LIMITS);
    const entered = ['a', 'b', 'c', 'd', 'e'].map((accountId) => slots.take(item(accountId, 'h')));
    expect(entered).toEqual([true, true, true, true, false]);
    expect(slots.take(item('a', 'other'))).toBe(true);
  });

  it('gives a slot to who would not wait for one, and remembers nothing of who got none', () => {
    const slots = new DeliverySlots(LIMITS);
    const [first, second, third] = [item('a', 'h'), item('a', 'h'), item('a', 'h')];
    expect([first, second, third].map((each) => slots.tryTake(each))).toEqual([true, true, false]);
    expect(slots.waitingCount).toBe(0);
    expect(slots.release(first)).toEqual([]);
    expect(slots.take(third)).toBe(true);
  });

  it('keeps half of a host for accounts that have nothing there, however much others send', () => {
    const slots = new DeliverySlots(LIMITS);
    const crowd = Array.from({ length: 10 }, () => slots.take(item('crowd', 'shared')));
    expect(crowd.filter(Boolean)).toHaveLength(2);
    expect([slots.take(item('a', 'shared')), slots.take(item('b', 'shared'))]).toEqual([true, true]);
    expect(slots.take(item('a', 'shared'))).toBe(false);
  });

  it('lets accounts of one host take turns: one that hangs has no more of it than any other', () => {
    const slots = new DeliverySlots({ ...LIMITS, maxWaiting: 30 });
    const hanging = Array.from({ length: 10 }, () => item('hangs', 'shared'));
    for (const each of hanging) slots.take(each);
    const waiting = Array.from({ length: 5 }, () => item('a', 'shared'));
    let current: SlotItem | undefined = waiting[0];
    expect(waiting.map((each) => slots.take(each))).toEqual([true, false, false, false, false]);
    const sent: (SlotItem | undefined)[] = [];
    // What hangs frees nothing meanwhile.
    while (current !== undefined && current.accountId === 'a') {
      sent.push(current);
      [current] = slots.release(current);
    }
    expect(sent).toEqual(waiting);
  });

  it('gives an account its share over all its hosts, so that host names alone win nothing', () => {
    const slots = new DeliverySlots(LIMITS);
    const entered = ['h1', 'h2', 'h3', 'h4', 'h5'].map((host) => slots.take(item('a', host)));
    expect(entered).toEqual([true, true, true, false, false]);
    expect(slots.take(item('b', 'h6'))).toBe(true);
  });

  it('hands a freed place to the first that waits, in the order of arrival', () => {
    const slots = new DeliverySlots(LIMITS);
    const [first, second, third, fourth] = [item('a', 'h'), item('a', 'h'), item('a', 'h'), item('a', 'h')] as const;
    for (const each of [first, second, third, fourth]) slots.take(each);
    expect(slots.waitingCount).toBe(2);
    expect(slots.release(first)).toEqual([third]);
    expect(slots.release(third)).toEqual([fourth]);
    expect(slots.release(second)).toEqual([]);
    expect(slots.release(fourth)).toEqual([]);
    expect(slots.waitingCount).toBe(0);
  });

  it('does not let a newcomer pass those that wait for the same host', () => {
    const slots = new DeliverySlots({ ...LIMITS, perHost: 1 });
    const [running, waiting, newcomer] = [item('a', 'h'), item('a', 'h'), item('a', 'h')] as const;
    slots.take(running);
    slots.take(waiting);
    expect(slots.release(running)).toEqual([waiting]);
    expect(slots.take(newcomer)).toBe(false);
    expect(slots.release(waiting)).toEqual([newcomer]);
  });

  it('skips a delivery whose host is still busy, and lets slots take turns', () => {
    const slots = new DeliverySlots({ ...LIMITS, perAccount: 2 });
    const [a1, a2] = [item('a', 'h1'), item('a', 'h1')] as const;
    const [b1, b2] = [item('a', 'h2'), item('a', 'h2')] as const;
    const [c1] = [item('a', 'h1')] as const;
    slots.take(a1);
    slots.take(a2);
    for (const waiting of [c1, b1, b2]) slots.take(waiting);
    expect(slots.release(a1)).toEqual([c1]);
    expect(slots.release(a2)).toEqual([b1]);
    expect(slots.release(c1)).toEqual([b2]);
  });

  it('replaces what waits when it is claimed anew, without losing its place in the line', () => {
    const slots = new DeliverySlots({ ...LIMITS, perHost: 1 });
    const running = item('a', 'h');
    slots.take(running);
    slots.take(item('a', 'h', 'x'));
    slots.take(item('a', 'h', 'y'));
    const renewed = item('a', 'h', 'x');
    expect(slots.take(renewed)).toBe(false);
    expect(slots.waitingCount).toBe(2);
    expect(slots.release(running)).toEqual([renewed]);
  });

  it('has a slot for the next account when a dozen hang at once: each has a quarter of what is left at most', () => {
    const slots = new DeliverySlots({ ...LIMITS, perAccount: 16, maxWaiting: 10_000, maxWaitingPerAccount: 1000 });
    const inFlight = Array.from({ length: 12 }, (_, account) => {
      const entered = Array.from({ length: 100 }, (__, host) =>
        slots.take(item(`hangs-${account}`, `${account}-${host}`)),
      );
      return entered.filter(Boolean).length;
    });
    expect(inFlight.slice(0, 4)).toEqual([13, 11, 9, 7]);
    expect(slots.take(item('quick', 'quick'))).toBe(true);
  });

  it('gives all that were slow the last time a part of the slots, and each line of them one', () => {
    const slots = new DeliverySlots({ ...LIMITS, maxWaiting: 10_000 });
    const hanging = Array.from({ length: 40 }, (_, index) => item(`hangs-${index}`, `h-${index}`));
    for (const each of hanging) {
      expect(slots.take(each)).toBe(true);
      slots.release(each, 10_000);
    }
    const again = hanging.flatMap(({ accountId, host }) => [item(accountId, host), item(accountId, host)]);
    expect(again.filter((each) => slots.take(each))).toEqual([0, 2, 4, 6].map((index) => again[index]));
    expect(slots.take(item('quick', 'quick'))).toBe(true);
  });

  it('leaves slots for what was slow to others, however many slow hosts an account names', () => {
    const slots = new DeliverySlots({ ...LIMITS, maxWaiting: 10_000 });
    const hanging = Array.from({ length: 40 }, (_, index) => item('hangs', `h-${index}`));
    const honest = item('honest', 'recovers');
    for (const each of [...hanging, honest]) {
      slots.take(each);
      slots.release(each, 10_000);
    }
    expect(hanging.filter((each) => slots.take(each))).toHaveLength(1);
    expect(slots.take(honest)).toBe(true);
  });

  it('takes a line that was slow for a quick one again after one quick answer', () => {
    const slots = new DeliverySlots({ ...LIMITS, slow: 1 });
    const [first, second] = [item('a', 'h'), item('b', 'h2')];
    for (const each of [first, second]) {
      slots.take(each);
      slots.release(each, 2001);
    }
    expect([slots.take(first), slots.take(second)]).toEqual([true, false]);
    expect(slots.release(first, 2000)).toEqual([second]);
    expect([slots.take(item('a', 'h')), slots.take(item('a', 'h'))]).toEqual([true, true]);
  });

  it('gives a line that is quick again all its slots at once, however long others of it have waited', () => {
    const slots = new DeliverySlots(LIMITS);
    const [slow, first, second] = [item('a', 'h'), item('a', 'h'), item('a', 'h')];
    const [third, fourth] = [item('a', 'h'), item('a', 'h')];
    slots.take(slow);
    slots.release(slow, 2001);
    expect([first, second, third, fourth].map((each) => slots.take(each))).toEqual([true, false, false, false]);
    expect(slots.release(first, 100)).toEqual([second, third]);
    expect(slots.release(second, 100)).toEqual([fourth]);
  });

  it('gives no further slot to a line while its receiver has not answered for long', () => {
    let time = 0;
    const slots = new DeliverySlots(LIMITS, () => time);
    const [lasting, waiting] = [item('a', 'h'), item('a', 'h')];
    expect(slots.take(lasting)).toBe(true);
    time = 2001;
    expect(slots.take(waiting)).toBe(false);
    expect(slots.take(item('b', 'h'))).toBe(true);
    expect(slots.release(lasting, 2001)).toEqual([waiting]);
  });

  it('bounds what waits, of one account and in all', () => {
    const slots = new DeliverySlots(LIMITS);
    for (let index = 0; index < 100; index += 1) slots.take(item('a', 'h'));
    expect(slots.waitingCount).toBe(10);
    for (let index = 0; index < 100; index += 1) slots.take(item('b', 'h2'));
    expect(slots.waitingCount).toBe(15);
  });

  it('once closed gives no place to anything that waits, and hands it back', () => {
    const slots = new DeliverySlots({ ...LIMITS, perHost: 1 });
    const [running, waiting] = [item('a', 'h'), item('a', 'h')] as const;
    slots.take(running);
    slots.take(waiting);
    expect(slots.close()).toEqual([waiting]);
    expect(slots.release(running)).toEqual([]);
    expect(slots.waitingCount).toBe(0);
  });

  it('frees the slot of the host and of the account when a delivery leaves', () => {
    const slots = new DeliverySlots(LIMITS);
    for (let index = 0; index < 50; index += 1) {
      const each = item(`account-${index % 5}`, `host-${index % 7}`);
      expect(slots.take(each)).toBe(true);
      expect(slots.release(each)).toEqual([]);
    }
  });
});
