import { Slots } from './slots';

const never = () => new AbortController().signal;

describe('slots', () => {
  it('hands a slot on in the order of asking', async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const release = await slots.take(never());
    const second = slots.take(never()).then((next) => {
      order.push('second');
      next();
    });
    const third = slots.take(never()).then((next) => {
      order.push('third');
      next();
    });
    expect(order).toEqual([]);
    release();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
  });

  it('loses no slot to somebody who stopped waiting, before or after being called', async () => {
    const slots = new Slots(1);
    const release = await slots.take(never());
    const early = new AbortController();
    const late = new AbortController();
    const waitingEarly = slots.take(early.signal);
    const waitingLate = slots.take(late.signal);
    early.abort(new Error('early'));
    await expect(waitingEarly).rejects.toThrow('early');
    late.abort(new Error('late'));
    release();
    await expect(waitingLate).rejects.toThrow('late');
    await expect(slots.take(never())).resolves.toBeInstanceOf(Function);
  });

  it('gives nothing to an aborted signal', async () => {
    const slots = new Slots(1);
    await expect(slots.take(AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
    await expect(slots.take(never())).resolves.toBeInstanceOf(Function);
  });

  it('keeps slots free of a key that has its share, and lets those behind it pass', async () => {
    const slots = new Slots(3, { perKey: 2 });
    const order: string[] = [];
    const take = (name: string, keys: string[]) =>
      slots.take(never(), keys).then((release) => {
        order.push(name);
        return release;
      });
    const [releaseFirst] = [await take('first', ['a', 'x']), await take('second', ['a', 'y'])];
    const third = take('third', ['a', 'z']);
    await take('other', ['b']);
    const behind = take('behind', ['b']);
    releaseFirst();
    await third;
    expect(order).toEqual(['first', 'second', 'other', 'third']);
    (await third)();
    await behind;
    expect(order.at(-1)).toBe('behind');
  });

  it('gives a slot at once or not at all to who does not wait', () => {
    const slots = new Slots(3, { perKey: 2 });
    const [first] = [slots.tryTake('a'), slots.tryTake('a')];
    expect(slots.tryTake('a')).toBeUndefined();
    expect(slots.tryTake('b')).toBeDefined();
    expect(slots.tryTake('c')).toBeUndefined();
    first?.();
    expect(slots.tryTake('a')).toBeDefined();
  });

  it('counts a holder once for a key that it names twice', () => {
    const slots = new Slots(10, { perKey: 2 });
    const release = slots.tryTake('account', 'host', 'host');
    expect(slots.tryTake('other', 'host')).toBeDefined();
    expect(slots.tryTake('third', 'host')).toBeUndefined();
    release?.();
    expect(slots.tryTake('third', 'host')).toBeDefined();
  });
});
