import { jainIndex, mostOvertaken } from '../src/simulation/fairness';

it('the index is one where all have the same, and one by their number where one has all', () => {
  expect(jainIndex([3, 3, 3, 3])).toBe(1);
  expect(jainIndex([12, 0, 0, 0])).toBe(0.25);
});

it('a task was overtaken by those that came later and began before it, or while it has not begun', () => {
  expect(mostOvertaken([1, 2, 3, 4])).toBe(0);
  expect(mostOvertaken([4, 1, 2, 3])).toBe(3);
  expect(mostOvertaken([undefined, 1, 2, undefined])).toBe(2);
});
