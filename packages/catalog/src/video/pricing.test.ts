import * as fc from 'fast-check';
import { type BilledSeconds, perSecondPricing } from './pricing';

interface Input {
  seconds: BilledSeconds;
  factor?: bigint;
}

const { reserve, settle } = perSecondPricing({
  rate: (_: Input, rates: { per_second: bigint }) => rates.per_second,
  factor: ({ factor }) => factor,
  seconds: ({ seconds }) => seconds,
});
const rates = (perSecond: bigint) => ({ per_second: perSecond });

it('bills what was asked for, whatever came out', () => {
  expect(reserve({ seconds: 7 }, rates(3n))).toBe(21n);
  for (const usage of [{}, { seconds: 2 }, { seconds: 9 }]) expect(settle({ seconds: 7 }, usage, rates(3n))).toBe(21n);
});

it('bills what came out where the length was left open, up to the limit; nothing reported counts as the limit', () => {
  const open = { seconds: { atMost: 30 } };
  expect(reserve(open, rates(10n))).toBe(300n);
  const settled = [{}, { seconds: 12 }, { seconds: 7.25 }, { seconds: 30.01 }].map((usage) =>
    settle(open, usage, rates(10n)),
  );
  expect(settled).toEqual([300n, 120n, 73n, 300n]);
});

it('rounds once, up, after the factor', () => {
  expect(reserve({ seconds: 5, factor: 1_500_000_000n }, rates(1n))).toBe(8n);
  expect(reserve({ seconds: 2, factor: 1_500_000_000n }, rates(1n))).toBe(3n);
});

it('is exact and never settles above the reservation, at any rate and length', () => {
  void fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 15n), fc.nat(100_000), fc.bigInt(0n, 10n ** 10n), (rate, milliseconds, factor) => {
      const input = { seconds: { atMost: 30 }, factor };
      const settled = settle(input, { seconds: milliseconds / 1000 }, rates(rate));
      expect(settled).toBeLessThanOrEqual(reserve(input, rates(rate)));
      const billed = BigInt(Math.min(milliseconds, 30_000));
      const parts = 1000n * 1_000_000_000n;
      expect(settled).toBe((billed * rate * factor + parts - 1n) / parts);
    }),
  );
});
