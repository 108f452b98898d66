import type { PriceOverride } from '@mediagate/catalog';
import type { PriceStep, StoredPrice } from '@mediagate/database';

export type Prices = ReadonlyMap<string, PriceOverride>;

/** The prices that steps come to: the last one of each key counts. */
export function foldPrices(steps: readonly Pick<PriceStep, 'billingKey' | 'price'>[]): Prices {
  const latest = new Map(steps.map(({ billingKey, price }) => [billingKey, price]));
  return new Map([...latest].flatMap(([key, price]) => (price === null ? [] : [[key, readStored(price)] as const])));
}

export function fingerprintOf(prices: Prices): string {
  return JSON.stringify([...prices].map(([key, price]) => [key, toStored(price)]).sort());
}

export function readStored(price: StoredPrice): PriceOverride {
  if ('perTask' in price) return { perTask: BigInt(price.perTask) };
  return { units: new Map(Object.entries(price.units).map(([unit, nano]) => [unit, BigInt(nano)])) };
}

export function toStored(price: PriceOverride): StoredPrice {
  if ('perTask' in price) return { perTask: price.perTask.toString() };
  return { units: Object.fromEntries([...price.units].map(([unit, nano]) => [unit, nano.toString()])) };
}

/** The operators' prices over the file's: of units, those that both price are the operators'. */
export function pricesInForce(file: Prices, overrides: Prices): Prices {
  const prices = new Map(file);
  for (const [key, override] of overrides) {
    const under = file.get(key);
    const isBothUnits = under !== undefined && 'units' in under && 'units' in override;
    prices.set(key, isBothUnits ? { units: new Map([...under.units, ...override.units]) } : override);
  }
  return prices;
}
