import { COMPARISONS } from '../src/comparisons';
import { readOptions } from '../src/options';

/** Each is decided by one comparison. */
const EVERY_GOAL = [1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 17, 18, 19, 22, 23];

describe('options', () => {
  const read = (...args: string[]) => readOptions(args);

  it('choose comparisons by goal or name', () => {
    expect([...read('--only', 'p1,P13,poll').only]).toEqual(['submit', 'poll']);
  });

  it('refuse what does not exist', () => {
    expect(() => read('--only', 'P99')).toThrow('P99');
    expect(() => read('--rounds', '0')).toThrow('--rounds');
    expect(() => read('--rounds', '2.5')).toThrow('--rounds');
    expect(() => read('--rows', '1')).toThrow('--rows');
    expect(() => read('--fast')).toThrow('--fast');
  });

  it('run everything in at least five rounds of two seconds', () => {
    const { only, pace } = read();
    expect([...only]).toEqual(COMPARISONS.map(({ name }) => name));
    const goals = COMPARISONS.flatMap((comparison) => comparison.goals);
    expect(goals.map((goal) => Number(goal.slice(1))).sort((a, b) => a - b)).toEqual(EVERY_GOAL);
    expect(pace.rounds).toBeGreaterThanOrEqual(5);
    expect(pace.sliceMs).toBeGreaterThanOrEqual(2000);
  });
});
