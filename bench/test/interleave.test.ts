import { type Contender, interleave } from '../src/measure/interleave';

describe('interleaved rounds', () => {
  it('give every contender one slice a round, in turns, after a warm-up that does not count', async () => {
    const calls: string[] = [];
    const contender = (name: string): Contender => ({
      name,
      slice: async (ms) => ({ count: calls.push(`${name} ${ms}`), seconds: 1, cpu: undefined }),
    });
    const pace = { rounds: 2, sliceMs: 20, warmUpMs: 5 };
    const slices = await interleave([contender('a'), contender('b')], pace);
    expect(calls).toEqual(['a 5', 'b 5', 'a 20', 'b 20', 'a 20', 'b 20']);
    expect(slices.map((own) => own.map(({ count }) => count))).toEqual([
      [3, 5],
      [4, 6],
    ]);
  });
});
