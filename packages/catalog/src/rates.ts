import { decimalToNano } from '@mediagate/contracts';
import type { Rates } from './entry';

/** The unit an operator's plain number stands for: one task, whatever it asks for and uses. */
export const PER_TASK = 'per_task';

/**
 * Prices as people write them (currency units) to nano-units, through their decimal text and never through float
 * arithmetic. Throws when there is none, or one is negative, not finite or finer than a nano-unit.
 */
export function toRates(modelId: string, prices: Readonly<Record<string, number>>): Rates {
  const rates: Rates = {};
  for (const [unit, price] of Object.entries(prices)) {
    const nano = decimalToNano(String(price));
    if (nano === undefined || nano < 0n) {
      throw new Error(`${modelId}: the price of ${unit} must be a decimal of at least 0 with at most 9 places`);
    }
    rates[unit] = nano;
  }
  if (!Object.values(rates).some((nano) => nano > 0n)) throw new Error(`${modelId}: a model needs a price above 0`);
  return rates;
}

/** Rates with defaults for the units that they leave out. They are one object until prices change, and so is the result. */
export function completedBy(defaults: Rates): (rates: Rates) => Rates {
  const known = new WeakMap<Rates, Rates>();
  return (rates) => {
    const last = known.get(rates);
    if (last !== undefined) return last;
    const complete = { ...defaults, ...rates };
    known.set(rates, complete);
    return complete;
  };
}
