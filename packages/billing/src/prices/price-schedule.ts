import type { PriceOverride } from '@mediagate/catalog';
import type { PriceStep, StoredPrice } from '@mediagate/database';

export type Prices = ReadonlyMap<string, PriceOverride>;

interface ScheduledStep {
  billingKey: string;
  price: PriceOverride | null;
  /** By the process's own clock. */
  atMs: number;
}

const NOTHING: Prices = new Map();

/**
 * The operators' prices as a process knows them, each from its moment on. What has taken effect here stays in effect, however the
 * next reading of the database's clock turns out.
 */
export class PriceSchedule {
  #steps: readonly ScheduledStep[] = [];
  readonly #moments = new Map<bigint, number>();
  #prices: Prices = NOTHING;
  /** Until then `#prices` are those of now. */
  #untilMs = Number.POSITIVE_INFINITY;

  /** @param steps in the order of their moments. @param askedAtMs the process's clock as the database answered. */
  replace(steps: readonly PriceStep[], askedAtMs: number): void {
    this.#steps = steps.map(({ id, billingKey, price, effectiveInMs }) => {
      const atMs = this.#moments.get(id) ?? askedAtMs + effectiveInMs;
      this.#moments.set(id, atMs);
      return { billingKey, price: price && readStored(price), atMs };
    });
    const known = new Set(steps.map(({ id }) => id));
    for (const id of this.#moments.keys()) if (!known.has(id)) this.#moments.delete(id);
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  /** The prices in effect: the same map until they change. */
  at(nowMs: number): Prices {
    if (nowMs < this.#untilMs) return this.#prices;
    const begun = this.#steps.filter(({ atMs }) => atMs <= nowMs);
    const latest = new Map(begun.map(({ billingKey, price }) => [billingKey, price]));
    const prices = new Map([...latest].flatMap(([key, price]) => (price === null ? [] : [[key, price] as const])));
    if (!isSame(prices, this.#prices)) this.#prices = prices;
    this.#untilMs = Math.min(...this.#steps.map(({ atMs }) => atMs).filter((atMs) => atMs > nowMs));
    return this.#prices;
  }
}

function isSame(one: Prices, other: Prices): boolean {
  const text = (prices: Prices) => JSON.stringify([...prices].map(([key, price]) => [key, toStored(price)]).sort());
  return text(one) === text(other);
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
export function layPrices(file: Prices, overrides: Prices): Prices {
  const laid = new Map(file);
  for (const [key, override] of overrides) {
    const under = file.get(key);
    const isBothUnits = under !== undefined && 'units' in under && 'units' in override;
    laid.set(key, isBothUnits ? { units: new Map([...under.units, ...override.units]) } : override);
  }
  return laid;
}
