import { mustEqual, mustMatchAcknowledged } from '../src/product/books';

describe('books', () => {
  it('are at fault when a count is another', () => {
    expect(mustEqual('tasks', 3, 3)).toEqual([]);
    expect(mustEqual('tasks', 3, 4)).toEqual(['tasks: 3, and 4 were expected']);
  });

  it.each([
    [100, true],
    [164, true],
    [99, false],
    [165, false],
  ])('with 100 answers and at most 64 in flight, %d tasks are right: %s', (tasks, isRight) => {
    expect(mustMatchAcknowledged('tasks', tasks, { answers: 100, inFlightAtMost: 64 })).toHaveLength(isRight ? 0 : 1);
  });
});
