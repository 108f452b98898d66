import { createMemoryBudget } from './memory-budget';

describe('the memory budget', () => {
  it('is shared by all requests and given back by each', () => {
    const budget = createMemoryBudget(100);
    const [one, two] = [budget.lease(), budget.lease()];
    expect(one.take(60)).toBe(true);
    expect(two.take(50)).toBe(false);
    expect(two.take(40)).toBe(true);
    one.release();
    expect(two.take(60)).toBe(true);
    expect(two.take(1)).toBe(false);
  });

  it('gives back once, however often a request ends', () => {
    const budget = createMemoryBudget(10);
    const one = budget.lease();
    one.take(10);
    one.release();
    one.release();
    const two = budget.lease();
    expect(two.take(10)).toBe(true);
    expect(two.take(1)).toBe(false);
  });
});
