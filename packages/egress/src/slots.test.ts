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
});
