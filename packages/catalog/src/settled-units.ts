import { type JsonObject, NANO_PER_UNIT, type Usage } from '@mediagate/contracts';
import type { CatalogueEntry, Rates } from './entry';
import { FACTOR } from './price-parts';
import { PER_TASK } from './rates';

/** The settled quantity of each unit of the price list, in billionths, so that one token at a price per million tokens is exact. */
export type SettledUnits = Readonly<Record<string, bigint>>;

type Settled = Pick<CatalogueEntry, 'settle' | 'defaultPrices' | 'billing'>;

/**
 * A settlement is a sum over the units of the price list: where one unit costs 1 and the others nothing, the sum is that unit's
 * quantity. Factors multiply the price, not the quantity.
 */
export function settledUnits(entry: Settled, input: JsonObject, usage: Usage, rates: Rates): SettledUnits {
  const units: Record<string, bigint> = {};
  for (const { name, alone } of unitPrices(entry, rates)) {
    const quantity = entry.settle(input, usage, alone);
    if (quantity > 0n) units[name] = quantity;
  }
  return units;
}

interface UnitPrice {
  name: string;
  /** Prices at which this unit costs 1 and every other unit nothing. */
  alone: Rates;
}

/** By the prices of tasks, which are one object until they change, and the model. */
const known = new WeakMap<Rates, { entry: Settled; units: UnitPrice[] }>();

function unitPrices(entry: Settled, rates: Rates): UnitPrice[] {
  const last = known.get(rates);
  if (last?.entry === entry) return last.units;
  const names = unitsOf(entry, rates);
  const free = Object.fromEntries(names.map((name) => [name, FACTOR.test(name) ? NANO_PER_UNIT : 0n]));
  const units = names
    .filter((name) => !FACTOR.test(name))
    .map((name) => ({ name, alone: { ...free, [name]: NANO_PER_UNIT } }));
  known.set(rates, { entry, units });
  return units;
}

/** A unit that came into being after the task was accepted is settled at its default price, though no rate of the task's names it. */
function unitsOf({ defaultPrices, billing }: Settled, rates: Rates): string[] {
  const own = Object.keys(rates);
  return billing || PER_TASK in rates ? own : [...new Set([...Object.keys(defaultPrices), ...own])];
}
