import type { JsonObject, Nano } from '@mediagate/contracts';
import type { CatalogueEntry, Rates } from './entry';

type Priced = Pick<CatalogueEntry, 'reserve' | 'settle'>;

/** The amount that one unit of the price list adds to a reservation. */
export interface PricePart {
  /** Name of the unit, or billing key. */
  unit: string;
  rateNano: Nano;
  amountNano: Nano;
}

/** Units that multiply others, and add nothing by themselves. */
export const FACTOR = /_factor$/;

/**
 * A reservation split by the units of the price list. It is a sum over units, so one unit's part is the amount that is reserved
 * when the others cost nothing; a factor is within the parts that it multiplies. Each part is rounded up by itself.
 */
export function priceParts(entry: Priced, input: JsonObject, rates: Rates): PricePart[] {
  const free = Object.entries(rates).map(([unit, rate]) => [unit, FACTOR.test(unit) ? rate : 0n] as const);
  const parts = Object.entries(rates)
    .filter(([unit]) => !FACTOR.test(unit))
    .map(([unit, rateNano]) => {
      const alone = { ...Object.fromEntries(free), [unit]: rateNano };
      return { unit, rateNano, amountNano: entry.reserve(input, alone) };
    });
  return parts.filter(({ amountNano }) => amountNano > 0n);
}

/**
 * The task's cost if its upstream makes everything that was asked for and reports no usage: nobody knows more before the task
 * has ended.
 */
export function expectedCost(entry: Priced, input: JsonObject, rates: Rates): Nano {
  return entry.settle(input, {}, rates);
}
