import { createTurnstile } from './turnstile';

describe('a turnstile', () => {
  it('lets in so many at once, and the others in the order in which they came', async () => {
    const turns = createTurnstile(1);
    const seen: string[] = [];
    const leaveFirst = await turns.enter();
    const second = turns.enter().then((leave) => {
      seen.push('second');
      leave();
    });
    const third = turns.enter().then((leave) => {
      seen.push('third');
      leave();
    });
    expect([turns.inside(), turns.waiting(), seen]).toEqual([1, 2, []]);
    leaveFirst();
    await Promise.all([second, third]);
    expect([turns.inside(), turns.waiting(), seen]).toEqual([0, 0, ['second', 'third']]);
  });

  it('gives no place to one who has given up waiting', async () => {
    const turns = createTurnstile(1);
    const leaveFirst = await turns.enter();
    const impatient = new AbortController();
    const given = turns.enter(impatient.signal);
    const patient = turns.enter();
    impatient.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    leaveFirst();
    (await patient)();
    expect([turns.inside(), turns.waiting()]).toEqual([0, 0]);
  });

  it('takes a way out for one, however often it is called', async () => {
    const turns = createTurnstile(2);
    const [leave] = [await turns.enter(), await turns.enter()];
    leave();
    leave();
    expect(turns.inside()).toBe(1);
  });
});
