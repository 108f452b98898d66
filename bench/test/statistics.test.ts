import { median, percentile } from '../src/measure/statistics';

describe('percentiles', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[7], 7],
  ])('the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('lie between the nearest ranks', () => {
    expect(percentile([10, 20, 30, 40, 50], 90)).toBe(46);
    expect(percentile([10, 20], 0)).toBe(10);
    expect(percentile([10, 20], 100)).toBe(20);
  });

  it('of nothing are not a number', () => {
    expect(median([])).toBeNaN();
  });

  it('leave the values as they were', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});
