import { figure, type Goal, latency, rateRatio, verdictOf } from '../src/measure/figure';
import type { Slice } from '../src/measure/slice';
import { formatMarkdown } from '../src/report/markdown';

const GOAL: Goal = { id: 'P0', measure: 'requests', against: 'another', threshold: { atLeast: 2 }, unit: 'x' };
const slice = (count: number, more: Partial<Slice> = {}): Slice => ({ count, seconds: 1, cpu: undefined, ...more });

describe('a figure', () => {
  it('compares rounds, not medians of rounds', () => {
    const { values, median, best } = rateRatio(
      GOAL,
      [slice(100), slice(400), slice(30)],
      [slice(10), slice(100), slice(1)],
    );
    expect(values).toEqual([10, 4, 30]);
    expect(median).toBe(10);
    expect(best).toBe(30);
  });

  it('counts by the second, however long a slice took', () => {
    expect(rateRatio(GOAL, [slice(100, { seconds: 2 })], [slice(10)]).values).toEqual([5]);
  });

  it('takes the smallest for the best where less is wanted', () => {
    const goal: Goal = { ...GOAL, threshold: { atMost: 1.1 } };
    const slices = [1, 1.5, 4].map((p50Ms) => slice(1, { p50Ms }));
    expect(latency(goal, slices)).toMatchObject({ median: 1.5, best: 1 });
  });

  it('tells CPU by the request and who is busiest', () => {
    const cpu = { service: 900_000, postgres: 50_000, redis: 100_000 };
    const found = figure(GOAL, { values: [1], slices: [slice(1000, { cpu })] });
    expect(found.cpu).toEqual({ service: 900, postgres: 50, redis: 100 });
    expect(found.limit).toBe('service 90 %, redis 10 %, postgres 5 %');
  });

  it.each([
    [{ atLeast: 2 }, 2, 'reached'],
    [{ atLeast: 2 }, 1.99, 'short'],
    [{ atLeast: 2 }, 0.99, 'far'],
    [{ atMost: 2 }, 2, 'reached'],
    [{ atMost: 2 }, 2.01, 'short'],
    [{ atMost: 2 }, 4.01, 'far'],
    [{ atLeast: 2 }, Number.NaN, 'far'],
  ] as const)('wanted %j and found %d is %s', (threshold, median, verdict) => {
    expect(verdictOf({ threshold, median })).toBe(verdict);
  });
});

describe('the table of the documents', () => {
  const cpu = { service: 2_000, postgres: 1_000, redis: 0 };
  const [ours, theirs] = [slice(100, { cpu }), slice(10, { cpu })];
  const found = rateRatio(GOAL, [ours], [theirs]);
  const rows = (faults: string[]) => formatMarkdown([{ name: 'x', figures: [found], faults, seconds: 1 }]).split('\n');

  it('is Markdown of the columns that docs/benchmarks.md has', () => {
    expect(rows([])).toEqual([
      '| Goal | What, and against what | Wanted | Median | Best | Verdict | CPU | CPU of the other |',
      '| --- | --- | --- | --- | --- | --- | --- | --- |',
      '| P0 | requests, against another; service 0 %, postgres 0 %, redis 0 % | ≥ 2 x | 10 x (100 : 10) | 10 x | reached | 20 + 10 + 0 | 200 + 100 + 0 |',
    ]);
  });

  it('shows no figure of a comparison whose books do not balance', () => {
    expect(rows(['tasks: 1'])[2]).toContain('| void | void | void |');
  });
});
