import { Pace } from './pace';

let now = 1000;
const pace = () => new Pace({ burst: 2, everyMs: 100, maxWaitMs: 250, now: () => now });

describe('Pace', () => {
  beforeEach(() => {
    now = 1000;
  });

  it('lets a burst through, then one in a time, and refuses who would wait too long', () => {
    const one = pace();
    const taken = Array.from({ length: 6 }, () => one.take('a'));
    expect(taken).toEqual([
      { waitMs: 0 },
      { waitMs: 0 },
      { waitMs: 100 },
      { waitMs: 200 },
      { refusedForMs: 50 },
      { refusedForMs: 50 },
    ]);
  });

  it('counts keys apart, and lets a key through again after its time', () => {
    const one = pace();
    for (let count = 0; count < 5; count += 1) one.take('a');
    expect(one.take('b')).toEqual({ waitMs: 0 });
    now += 50;
    expect(one.take('a')).toEqual({ waitMs: 250 });
    now += 10_000;
    expect(one.take('a')).toEqual({ waitMs: 0 });
  });

  it('takes back one, and no more', () => {
    const one = pace();
    for (let count = 0; count < 2; count += 1) one.take('a');
    one.giveBack('a');
    expect([one.take('a'), one.take('a')]).toEqual([{ waitMs: 0 }, { waitMs: 100 }]);
  });
});
