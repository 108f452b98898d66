import { ByteSlots } from './byte-slots';

const never = () => new AbortController().signal;
/** Lets everything run that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('slots of bytes', () => {
  it('admits whoever fits, in the order they came', async () => {
    const slots = new ByteSlots(100);
    const admitted: string[] = [];
    const first = await slots.take(80, never());
    const large = slots.take(50, never()).then((held) => {
      admitted.push('large');
      return held;
    });
    const small = slots.take(10, never()).then(() => admitted.push('small'));
    await settle();
    expect(admitted).toEqual([]);
    first.shrinkTo(45);
    await large;
    await settle();
    expect(admitted).toEqual(['large']);
    first.release();
    first.release();
    await small;
    expect(admitted).toEqual(['large', 'small']);
    // 60 are held now, not fewer: a second release gave nothing.
    const more = slots.take(41, never());
    let isAdmitted = false;
    const seen = more.then(() => {
      isAdmitted = true;
    });
    await settle();
    expect(isAdmitted).toBe(false);
    (await large).release();
    await seen;
  });

  it('lets go of whoever is called off, and admits who stood behind', async () => {
    const slots = new ByteSlots(100);
    await slots.take(80, never());
    const work = new AbortController();
    const large = slots.take(50, work.signal);
    const small = slots.take(20, never());
    const reason = new Error('called off');
    work.abort(reason);
    await expect(large).rejects.toBe(reason);
    await small;
    await expect(slots.take(1, work.signal)).rejects.toBe(reason);
    await expect(slots.take(101, never())).rejects.toBeInstanceOf(RangeError);
  });

  it('lets others pass whoever has the share of one key, but never keeps out a key that holds nothing', async () => {
    const slots = new ByteSlots(100, { perKey: 50 });
    const first = await slots.take(30, never(), 'a');
    let isAdmitted = false;
    const second = slots.take(30, never(), 'a').then(() => {
      isAdmitted = true;
    });
    const other = await slots.take(60, never(), 'b');
    other.release();
    await settle();
    expect(isAdmitted).toBe(false);
    first.release();
    await second;
  });
});
