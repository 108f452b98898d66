import { GatewayError } from '@mediagate/contracts';
import fc from 'fast-check';
import type { Held, Wish } from './share';
import { Slots } from './slots';

const never = () => new AbortController().signal;
const of = (accountId: string, more: Omit<Wish, 'owner'> = {}): Wish => ({ owner: { accountId }, ...more });
const test = (accountId: string, more: Omit<Wish, 'owner'> = {}): Wish => ({
  owner: { accountId, isTest: true },
  ...more,
});

/** Takes slots for wishes; `order` says who got one. */
function scene(slots: Slots) {
  const order: string[] = [];
  const take = async (name: string, wish: Wish, signal = never()) => {
    const held = await slots.take(wish, signal);
    order.push(name);
    return held;
  };
  return { order, take };
}

describe('slots', () => {
  it('come in the order of asking to one owner', async () => {
    const { order, take } = scene(new Slots({ capacity: 1 }));
    const held = await take('first', of('a'));
    const others = ['second', 'third'].map((name) => take(name, of('a')).then(({ release }) => release()));
    expect(order).toEqual(['first']);
    held.release();
    await Promise.all(others);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('come to owners in turns, however many of one wait', async () => {
    const { order, take } = scene(new Slots({ capacity: 1 }));
    const held = await take('-', of('x'));
    const wanted = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const others = wanted.map((name) => take(name, of(name.charAt(0))).then(({ release }) => release()));
    held.release();
    await Promise.all(others);
    expect(order).toEqual(['-', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('stay free beside the share of an owner, so that the next one finds one', async () => {
    const slots = new Slots({ capacity: 4, perOwner: 3 });
    const { order, take } = scene(slots);
    const [first] = [await take('a1', of('a')), await take('a2', of('a')), await take('a3', of('a'))];
    const fourth = take('a4', of('a'));
    await take('b1', of('b'));
    first?.release();
    await fourth;
    expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'a4']);
  });

  it('are never all with test work, which has a quarter of them together', () => {
    const slots = new Slots({ capacity: 8 });
    const held = ['a', 'b', 'c', 'd'].map((id) => slots.tryTake(test(id)));
    expect(held.map((each) => each !== undefined)).toEqual([true, true, false, false]);
    expect(slots.tryTake(of('paid'))).toBeDefined();
    held[0]?.release();
    expect(slots.tryTake(test('c'))).toBeDefined();
  });

  it('come to paid work before test work that has waited longer', async () => {
    const { order, take } = scene(new Slots({ capacity: 1 }));
    const held = await take('-', of('x'));
    const others = [take('test', test('a')), take('paid', of('b'))].map((taken) =>
      taken.then(({ release }) => release()),
    );
    held.release();
    await Promise.all(others);
    expect(order).toEqual(['-', 'paid', 'test']);
  });

  it('of an account are not kept from its paid work by its test work', () => {
    const slots = new Slots({ capacity: 2, perOwner: 1 });
    expect([slots.tryTake(test('a')), slots.tryTake(of('a'))]).not.toContain(undefined);
  });

  it('keep a share for each key, whosever it is, and let others pass', async () => {
    const slots = new Slots({ capacity: 10, perOwner: 9, perKey: 2 });
    const { order, take } = scene(slots);
    const first = await take('a1', of('a', { keys: ['host', 'host'] }));
    await take('b1', of('b', { keys: ['host'] }));
    const third = take('a2', of('a', { keys: ['host'] }));
    await take('a3', of('a', { keys: ['other host'] }));
    first.release();
    await third;
    expect(order).toEqual(['a1', 'b1', 'a3', 'a2']);
  });

  it('keep the limit that a key names', () => {
    const slots = new Slots({ capacity: 10, perOwner: 9, perKey: 2 });
    const keys = [{ name: 'slow', limit: 1 }, 'host'];
    const taken = ['a', 'b'].map((id) => slots.tryTake(of(id, { keys })));
    expect(taken.map((held) => held !== undefined)).toEqual([true, false]);
    expect(slots.tryTake(of('b', { keys: ['host'] }))).toBeDefined();
  });

  it('are lost to nobody who stopped waiting', async () => {
    const slots = new Slots({ capacity: 1 });
    const { release } = await slots.take(of('a'), never());
    const reason = new Error('over');
    const work = new AbortController();
    const waiting = [slots.take(of('a'), work.signal), slots.take(test('b'), work.signal)];
    work.abort(reason);
    for (const each of waiting) await expect(each).rejects.toBe(reason);
    await expect(slots.take(of('c'), work.signal)).rejects.toBe(reason);
    release();
    expect([slots.held, slots.waiting]).toEqual([0, 0]);
    expect(slots.tryTake(of('c'))).toBeDefined();
  });

  it('are given back once', () => {
    const slots = new Slots({ capacity: 2 });
    const held = slots.tryTake(of('a'));
    slots.tryTake(of('b'));
    for (const _ of [1, 2]) held?.release();
    expect(slots.held).toBe(1);
  });

  it('have a bound on those who wait, for each owner and together', async () => {
    const slots = new Slots({ capacity: 1, maxWaiting: 3, maxWaitingPerOwner: 2 });
    const held = await slots.take(of('a'), never());
    const work = new AbortController();
    const waiting = [of('a'), of('a'), of('b')].map((wish) => slots.take(wish, work.signal));
    const codeOf = (wish: Wish) =>
      slots.take(wish, never()).catch((error: unknown) => (error instanceof GatewayError ? error.reason : error));
    expect([await codeOf(of('a')), await codeOf(of('b'))]).toEqual(['rate_limited', 'service_unavailable']);
    work.abort(new Error('over'));
    await Promise.allSettled(waiting);
    held.release();
    expect([slots.held, slots.waiting]).toEqual([0, 0]);
  });
});

describe('slots of bytes', () => {
  it('are not taken from the next one in turn by whoever needs less, and come back in parts', async () => {
    const slots = new Slots({ capacity: 100, perOwner: 100 });
    const { order, take } = scene(slots);
    const first = await take('first', of('a', { amount: 80 }));
    const others = [take('large', of('b', { amount: 50 })), take('small', of('c', { amount: 10 }))];
    expect(order).toEqual(['first']);
    first.shrinkTo(50);
    first.shrinkTo(70);
    await Promise.all(others.slice(0, 1));
    expect([order, slots.held]).toEqual([['first', 'large'], 100]);
    first.release();
    await Promise.all(others);
    expect(order).toEqual(['first', 'large', 'small']);
  });

  it('pass to those behind when the next one stops waiting', async () => {
    const slots = new Slots({ capacity: 100, perOwner: 100 });
    const { take } = scene(slots);
    await take('first', of('a', { amount: 80 }));
    const work = new AbortController();
    const large = take('large', of('b', { amount: 50 }), work.signal);
    const small = take('small', of('c', { amount: 20 }));
    work.abort(new Error('over'));
    await expect(large).rejects.toThrow('over');
    await small;
    expect(slots.held).toBe(100);
  });

  it('come to whoever holds nothing, however much it needs: all of them to a wish for more than there are', async () => {
    const slots = new Slots({ capacity: 100, perOwner: 10 });
    expect(slots.tryTake(test('a', { amount: 90 }))).toBeDefined();
    expect(slots.tryTake(of('b', { amount: 10 }))).toBeDefined();
    await expect(slots.take(of('c', { amount: 0 }), never())).rejects.toBeInstanceOf(RangeError);
    const few = new Slots({ capacity: 100 });
    few.tryTake(of('c', { amount: 101 }));
    expect(few.held).toBe(100);
  });
});

interface Step {
  kind: 'take' | 'release' | 'abort';
  owner: string;
  isTest: boolean;
  key: string | undefined;
  amount: number;
  which: number;
}

interface Asked extends Step {
  state: 'waiting' | 'holds' | 'over';
  held?: Held;
  work: AbortController;
}

interface Holding {
  amount: number;
  holders: number;
}

const LIMITS = { capacity: 8, perOwner: 4, perKey: 3, forTests: 2 };

const stepsOf = (maxAmount: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom('take', 'take', 'take', 'release', 'release', 'abort'),
      owner: fc.constantFrom('a', 'b', 'c'),
      isTest: fc.boolean(),
      key: fc.constantFrom(undefined, 'h', 'i'),
      amount: fc.integer({ min: 1, max: maxAmount }),
      which: fc.nat(20),
    }),
    { maxLength: 60 },
  );

/** Everything that it counts for, each with its limit. */
const sharesOf = ({ owner, isTest, key }: Asked): [string, number][] => [
  ['all', LIMITS.capacity],
  [`${owner} ${isTest}`, LIMITS.perOwner],
  ...(isTest ? [['tests', LIMITS.forTests] as [string, number]] : []),
  ...(key === undefined ? [] : [[`key ${key}`, LIMITS.perKey] as [string, number]]),
];

function holdingsOf(asked: readonly Asked[]): Map<string, Holding> {
  const holdings = new Map<string, Holding>();
  for (const each of asked.filter(({ state }) => state === 'holds')) {
    for (const [name] of sharesOf(each)) {
      const { amount, holders } = holdings.get(name) ?? { amount: 0, holders: 0 };
      holdings.set(name, { amount: amount + each.amount, holders: holders + 1 });
    }
  }
  return holdings;
}

function expectLimitsHeld(asked: readonly Asked[]): void {
  const holdings = holdingsOf(asked);
  for (const [name, limit] of asked.flatMap(sharesOf)) {
    const { amount, holders } = holdings.get(name) ?? { amount: 0, holders: 0 };
    if (name === 'all' || holders > 1) expect(amount).toBeLessThanOrEqual(limit);
  }
}

async function act(step: Step, asked: Asked[], slots: Slots): Promise<void> {
  const { kind, owner, isTest, key, amount, which } = step;
  if (kind === 'take') {
    const one: Asked = { ...step, state: 'waiting', work: new AbortController() };
    asked.push(one);
    const wish = { owner: { accountId: owner, isTest }, keys: key === undefined ? [] : [key], amount };
    slots.take(wish, one.work.signal).then(
      (held) => Object.assign(one, { held, state: 'holds' }),
      () => Object.assign(one, { state: 'over' }),
    );
  } else {
    const some = asked.filter(({ state }) => state === (kind === 'release' ? 'holds' : 'waiting'));
    const one = some[which % Math.max(1, some.length)];
    if (kind === 'abort') one?.work.abort();
    else if (one) {
      one.held?.release();
      one.state = 'over';
    }
  }
  await new Promise((resolve) => setImmediate(resolve));
}

async function playOut(steps: readonly Step[], look: (asked: readonly Asked[]) => void): Promise<void> {
  const slots = new Slots(LIMITS);
  const asked: Asked[] = [];
  for (const step of steps) {
    await act(step, asked, slots);
    look(asked);
    expect(slots.held).toBe(holdingsOf(asked).get('all')?.amount ?? 0);
    expect(slots.waiting).toBe(asked.filter(({ state }) => state === 'waiting').length);
  }
  const release: Step = { kind: 'release', owner: '', isTest: false, key: undefined, amount: 1, which: 0 };
  for (const _ of asked) await act(release, asked, slots);
  expect([asked.some(({ state }) => state !== 'over'), slots.held, slots.waiting]).toEqual([false, 0, 0]);
}

it('slots of any amounts hold their shares whatever happens, and in the end come to everybody', async () => {
  await fc.assert(fc.asyncProperty(stepsOf(4), (steps) => playOut(steps, expectLimitsHeld)));
});

it('nobody waits for a slot that its shares leave to it', async () => {
  const look = (asked: readonly Asked[]) => {
    expectLimitsHeld(asked);
    const holdings = holdingsOf(asked);
    const couldGo = (one: Asked) => sharesOf(one).every(([name, limit]) => (holdings.get(name)?.amount ?? 0) < limit);
    expect(asked.filter(({ state }) => state === 'waiting').some(couldGo)).toBe(false);
  };
  await fc.assert(fc.asyncProperty(stepsOf(1), (steps) => playOut(steps, look)));
});
