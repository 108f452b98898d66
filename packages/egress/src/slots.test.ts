import { createSlots } from './slots';

const never = () => new AbortController().signal;

describe('createSlots', () => {
  it('hands a slot on in the order of asking', async () => {
    const slots = createSlots(1);
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
    const slots = createSlots(1);
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
    const slots = createSlots(1);
    await expect(slots.take(AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
    await expect(slots.take(never())).resolves.toBeInstanceOf(Function);
  });

  it('keeps slots free of a key that has its share, and lets those behind it pass', async () => {
    const slots = createSlots(3, { perKey: 2 });
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
});
