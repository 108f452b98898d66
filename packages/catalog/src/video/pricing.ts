import { NANO_PER_UNIT, type Nano, proRata, type Usage } from '@mediagate/contracts';

/** Rates in nano-units a second, by resolution. */
export type SecondRates<Resolution extends string> = Readonly<Record<`per_second.${Resolution}`, Nano>>;

/** Seconds that are billed: those asked for, or, where the length is left open, those that were made, up to a limit. */
export type BilledSeconds = number | { atMost: number };

const MS_PER_SECOND = 1000;

/**
 * Reserving and settling of a model priced by the second. What is asked for is what is billed; a length that the caller
 * left open is reserved at its longest and settled on what the upstream reports, or, if it reports nothing, as reserved.
 */
export function perSecondPricing<Input, Rates>(bill: {
  rate: (input: Input, rates: Rates) => Nano;
  /** Multiplies the rate; in billionths, as factors of a price list are read: 1.5 is 1_500_000_000. */
  factor?: (input: Input, rates: Rates) => Nano | undefined;
  seconds: (input: Input) => BilledSeconds;
}) {
  const price = (input: Input, rates: Rates, seconds: number): Nano => {
    const factor = bill.factor?.(input, rates) ?? NANO_PER_UNIT;
    // One rounding, after multiplying: milliseconds of a length, nano-units of a rate, billionths of a factor.
    const milliseconds = Math.round(seconds * MS_PER_SECOND);
    return proRata(milliseconds, bill.rate(input, rates) * factor, BigInt(MS_PER_SECOND) * NANO_PER_UNIT);
  };
  return {
    reserve: (input: Input, rates: Rates): Nano => price(input, rates, most(bill.seconds(input))),
    settle: (input: Input, usage: Usage, rates: Rates): Nano => price(input, rates, billed(bill.seconds(input), usage)),
  };
}

/** The rate of a second at a resolution. */
export function secondRate<Resolution extends string>(
  rates: SecondRates<NoInfer<Resolution>>,
  resolution: Resolution,
): Nano {
  return rates[`per_second.${resolution}`];
}

function most(seconds: BilledSeconds): number {
  return typeof seconds === 'number' ? seconds : seconds.atMost;
}

function billed(seconds: BilledSeconds, { seconds: used }: Usage): number {
  return typeof seconds === 'number' || used === undefined ? most(seconds) : Math.min(used, seconds.atMost);
}
