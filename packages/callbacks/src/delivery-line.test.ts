import { randomUUID } from 'node:crypto';
import { DeliveryLine, type Waiting } from './delivery-line';

const item = (accountId: string, host: string, id: string = randomUUID()): Waiting => ({ id, accountId, host });
const many = (length: number, of: (index: number) => Waiting) => Array.from({ length }, (_, index) => of(index));
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Deliveries that are in flight until they are ended. */
function scene(concurrency = 256) {
  const inFlight = new Map<Waiting, (tookMs?: number) => void>();
  const line = new DeliveryLine<Waiting>(concurrency, () => undefined);
  const carry = (each: Waiting) =>
    new Promise<number | undefined>((resolve) => inFlight.set(each, (tookMs) => resolve(tookMs)));
  /** True: it is in flight. False: it waits, or was forgotten. */
  const take = (each: Waiting) => {
    const carried = line.tryCarry(each, carry);
    if (carried === undefined) line.queue(each, carry);
    return carried !== undefined;
  };
  /** Returns those that were begun by it. */
  const end = async (each: Waiting, tookMs?: number): Promise<Waiting[]> => {
    const before = new Set(inFlight.keys());
    inFlight.get(each)?.(tookMs);
    inFlight.delete(each);
    await settled();
    return [...inFlight.keys()].filter((begun) => !before.has(begun));
  };
  const wasSlow = async (each: Waiting) => {
    expect(line.tryCarry(each, carry)).toBeDefined();
    await end(each, 10_000);
  };
  return { line, carry, take, end, wasSlow };
}

describe('a delivery', () => {
  it('finds no slot at a host that has its share, whoever asks, and one elsewhere', () => {
    const { take } = scene();
    const entered = many(33, (index) => item(`a${index}`, 'h')).map(take);
    expect(entered.filter(Boolean)).toHaveLength(32);
    expect(take(item('a0', 'other'))).toBe(true);
  });

  it('is remembered nowhere when it would not wait', async () => {
    const { line, carry, end } = scene();
    const first = item('a', 'h');
    for (const each of [first, ...many(3, () => item('a', 'h'))]) expect(line.tryCarry(each, carry)).toBeDefined();
    expect([line.tryCarry(item('a', 'h'), carry), line.waitingCount]).toEqual([undefined, 0]);
    expect(await end(first)).toEqual([]);
    expect(line.tryCarry(item('a', 'h'), carry)).toBeDefined();
  });

  it('finds a slot at a host where another account sends as much as it may', () => {
    const { take } = scene();
    expect(many(40, () => item('crowd', 'shared')).filter(take)).toHaveLength(4);
    expect(take(item('a', 'shared'))).toBe(true);
  });

  it('waits for none that hangs of another account at its host', async () => {
    const { take, end } = scene();
    for (const each of many(10, () => item('hangs', 'shared'))) take(each);
    const waiting = many(6, () => item('a', 'shared'));
    expect(waiting.map(take)).toEqual([true, true, true, true, false, false]);
    const [first, second] = waiting as [Waiting, Waiting];
    expect([await end(first), await end(second)]).toEqual([[waiting[4]], [waiting[5]]]);
  });

  it('of an account waits for its own at other hosts, so that host names alone win nothing', () => {
    const { take } = scene();
    expect(many(100, (index) => item('a', `h${index}`)).filter(take)).toHaveLength(16);
    expect(take(item('b', 'other'))).toBe(true);
  });

  it('gets the slot that comes free before all that came later, and before a newcomer', async () => {
    const { line, take, end } = scene();
    const [first, , , , fifth, sixth] = many(6, () => item('a', 'h'));
    for (const each of [first, ...many(3, () => item('a', 'h')), fifth, sixth]) take(each as Waiting);
    expect(take(item('a', 'h', 'newcomer'))).toBe(false);
    expect(await end(first as Waiting)).toEqual([fifth]);
    expect(await end(fifth as Waiting)).toEqual([sixth]);
    expect(await end(sixth as Waiting)).toMatchObject([{ id: 'newcomer' }]);
    expect(line.waitingCount).toBe(0);
  });

  it('passes those whose host is still busy', async () => {
    const { take, end } = scene(64);
    const [first, ...others] = many(3, () => item('a', 'busy')) as [Waiting, ...Waiting[]];
    const elsewhere = item('a', 'elsewhere');
    for (const each of [first, ...others, elsewhere]) expect(take(each)).toBe(true);
    const waiting = [item('a', 'busy'), item('a', 'other')] as const;
    expect(waiting.map(take)).toEqual([false, false]);
    expect([await end(first), await end(elsewhere)]).toEqual([[waiting[0]], [waiting[1]]]);
  });

  it('that is claimed anew keeps its position, with its new claim', async () => {
    const { line, take, end } = scene();
    const [first] = many(4, () => item('a', 'h')).filter(take) as [Waiting];
    for (const id of ['x', 'y']) take(item('a', 'h', id));
    const renewed = item('a', 'h', 'x');
    expect([take(renewed), line.waitingCount]).toEqual([false, 2]);
    const [begun] = await end(first);
    expect(begun).toBe(renewed);
  });

  it('finds a slot while the receivers of a dozen accounts hang, however many hosts they name', () => {
    const { take } = scene();
    for (const each of many(1200, (index) => item(`hangs-${index % 12}`, `h${index}`))) take(each);
    expect(take(item('quick', 'quick'))).toBe(true);
  });
});

describe('deliveries to receivers that were slow the last time', () => {
  it('have a quarter of the slots, and each line of them one', async () => {
    const { take, wasSlow } = scene(64);
    const hanging = many(40, (index) => item(`hangs-${index}`, `h${index}`));
    for (const each of hanging) await wasSlow(each);
    const again = hanging.flatMap(({ accountId, host }) => [item(accountId, host), item(accountId, host)]);
    expect(again.filter(take)).toEqual(many(16, (index) => again[2 * index] as Waiting));
    expect(take(item('quick', 'quick'))).toBe(true);
  });

  it('leave slots to each other, however many slow hosts an account names', async () => {
    const { take, wasSlow } = scene(64);
    const hanging = many(40, (index) => item('hangs', `h${index}`));
    const honest = item('honest', 'recovers');
    for (const each of [...hanging, honest]) await wasSlow(each);
    expect(hanging.filter(take)).toHaveLength(2);
    expect(take(honest)).toBe(true);
  });

  it('have all slots of the line at once after one quick answer, also those that have waited', async () => {
    const { take, end, wasSlow } = scene();
    await wasSlow(item('a', 'h'));
    const waiting = many(6, () => item('a', 'h'));
    expect(waiting.map(take)).toEqual([true, false, false, false, false, false]);
    const [first, ...others] = waiting as [Waiting, ...Waiting[]];
    expect(await end(first, 100)).toEqual(others.slice(0, 4));
    expect(await end(others[0] as Waiting, 100)).toEqual(others.slice(4));
  });

  it('get one slot after the other once the line has become slow, also those that had waited as quick ones', async () => {
    const { take, end } = scene();
    const [first, ...others] = many(4, () => item('a', 'h')) as [Waiting, ...Waiting[]];
    const [next, last] = [item('a', 'h'), item('a', 'h')];
    for (const each of [first, ...others, next, last]) take(each);
    expect(await end(first, 10_000)).toEqual([next]);
    for (const each of others) expect(await end(each, 10_000)).toEqual([]);
    expect(await end(next, 10_000)).toEqual([last]);
  });

  it('are slow while the first of them has not answered for long', () => {
    jest.useFakeTimers();
    const { take } = scene();
    expect(take(item('a', 'h'))).toBe(true);
    jest.advanceTimersByTime(2001);
    expect([take(item('a', 'h')), take(item('a', 'h')), take(item('b', 'h'))]).toEqual([true, false, true]);
    jest.useRealTimers();
  });
});

it('deliveries that wait have a bound, of one account and in all', async () => {
  const { line, take } = scene(4);
  for (const each of many(1100, () => item('a', 'h'))) take(each);
  await settled();
  expect(line.waitingCount).toBe(1000);
  for (const each of many(11_000, (index) => item(`a${index % 20}`, 'h'))) take(each);
  await settled();
  expect(line.waitingCount).toBe(10_000);
});

it('a line that is closed hands back what waits, and begins none of it', async () => {
  const { line, take, end } = scene();
  const [first] = many(4, () => item('a', 'h')).filter(take) as [Waiting];
  const waiting = item('a', 'h');
  take(waiting);
  expect(line.close()).toEqual([waiting]);
  expect([await end(first), line.waitingCount]).toEqual([[], 0]);
  await line.ended();
});

it('slots of host and account come back when a delivery ends', async () => {
  const { take, end } = scene();
  for (const each of many(50, (index) => item(`account-${index % 5}`, `host-${index % 7}`))) {
    expect(take(each)).toBe(true);
    expect(await end(each)).toEqual([]);
  }
});

describe('turns', () => {
  /** Each is begun until the test ends it. */
  function turns(concurrency: number, onFull: () => void = () => undefined) {
    const line = new DeliveryLine<Waiting>(concurrency, onFull);
    const begun = new Map<string, () => void>();
    const begin = (id: string) => line.inTurn(() => new Promise((resolve) => begun.set(id, resolve)));
    return { line, begun, begin };
  }

  it('are as many at once as there are slots, and go to the others in the order in which they came', async () => {
    const { begun, begin } = turns(2);
    const all = ['first', 'second', 'third', 'fourth'].map(begin);
    await settled();
    expect([...begun.keys()]).toEqual(['first', 'second']);
    for (const id of ['first', 'second']) begun.get(id)?.();
    await settled();
    expect([...begun.keys()]).toEqual(['first', 'second', 'third', 'fourth']);
    for (const end of begun.values()) end();
    await Promise.all(all);
  });

  it('that wait are left by a line that is closed, and those in flight end', async () => {
    const { line, begun, begin } = turns(1);
    const all = ['first', 'second', 'third'].map(begin);
    await settled();
    line.close();
    begun.get('first')?.();
    await Promise.all(all);
    expect([...begun.keys()]).toEqual(['first']);
  });

  it('come back from one that failed', async () => {
    const { line, begin, begun } = turns(1);
    await expect(line.inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    void begin('next');
    await settled();
    expect([...begun.keys()]).toEqual(['next']);
  });

  it('that are waited for have a bound, and a line that is full is reported once', async () => {
    const onFull = jest.fn();
    const { begun, begin } = turns(1, onFull);
    const all = Array.from({ length: 10_003 }, (_, index) => begin(String(index)));
    await expect(Promise.all(all.slice(-2))).resolves.toEqual([undefined, undefined]);
    expect(onFull).toHaveBeenCalledTimes(1);
    expect(begun.size).toBe(1);
  });
});
