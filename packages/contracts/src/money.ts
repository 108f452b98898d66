/**
 * Money is a whole number of nano-units of the account currency (1 USD = 1_000_000_000). Inside it is always a bigint;
 * it becomes a JSON number only at the edge, with at most nine decimals.
 */
export type Nano = bigint;

export const NANO_PER_UNIT = 1_000_000_000n;

/** The most that a column of money can hold, and so any balance. */
export const MAX_BOOKED_NANO = 2n ** 63n - 1n;

/** Nine decimals is exact for every amount below 9 million units; beyond that a JSON number rounds to its 53 bits. */
export function nanoToNumber(amount: Nano): number {
  return Number(nanoToDecimal(amount));
}

/** `1500000000n` reads `1.5`. */
export function nanoToDecimal(amount: Nano): string {
  const sign = amount < 0n ? '-' : '';
  const absolute = amount < 0n ? -amount : amount;
  const fraction = (absolute % NANO_PER_UNIT).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${absolute / NANO_PER_UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Clamps an amount to what a column of money holds: one below zero becomes 0, one beyond the largest balance becomes that balance. */
export function bookable(amount: Nano): Nano {
  if (amount < 0n) return 0n;
  return amount > MAX_BOOKED_NANO ? MAX_BOOKED_NANO : amount;
}

const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?$/;

/** Reads a decimal amount of currency units without passing through a float; undefined when it is not one. */
export function decimalToNano(text: string): Nano | undefined {
  const match = DECIMAL.exec(text.trim());
  if (!match) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const amount = BigInt(whole) * NANO_PER_UNIT + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -amount : amount;
}

/** `count` pieces at `rateNano` per `per` pieces, rounded up to the next nano-unit: the one rounding rule of pricing. */
export function proRata(count: number, rateNano: Nano, per: bigint): Nano {
  return (BigInt(count) * rateNano + per - 1n) / per;
}

/** A vendor's charge for a call, and its source: the channel's configuration, or the vendor. */
export interface VendorCost {
  nano: Nano;
  origin: 'declared' | 'reported';
}
