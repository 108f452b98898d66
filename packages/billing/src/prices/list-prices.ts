import { type CatalogueEntry, createPriceBook, PER_TASK, type PriceOverride } from '@mediagate/catalog';
import { exactSeconds, exactSecondsOrNull, type Nano, nanoToNumber } from '@mediagate/contracts';
import {
  type Database,
  type ListedPriceOverride,
  type Page,
  type PriceStep,
  readPage,
  type StoredPrice,
} from '@mediagate/database';
import { type Prices, pricesInForce, readStored } from './price-schedule';

export type PriceOrigin = 'catalogue' | 'file' | 'override';

/** One price that is in effect. */
export interface ListedPrice {
  billingKey: string;
  model: string;
  unit: string;
  priceNano: Nano;
  origin: PriceOrigin;
  /** When another price of the billing key takes effect; null: none is set. */
  changesAt: Date | null;
}

export interface ListPricesOptions {
  database: Pick<Database, 'followPrices'>;
  entries: readonly CatalogueEntry[];
  /** The prices of the configuration file. */
  file: Prices;
  /** Limits the list to this model. */
  model?: string | undefined;
  /** Limits the list to this billing key. */
  billingKey?: string | undefined;
}

/** All prices of the catalogue's models as they are now, and where each comes from. */
export async function listPrices(options: ListPricesOptions): Promise<ListedPrice[]> {
  const { database, entries, file, model, billingKey: wantedKey } = options;
  const steps = await database.followPrices();
  const overrides = inEffect(steps);
  const book = createPriceBook(pricesInForce(file, overrides));
  const wanted = entries.filter(({ id }) => model === undefined || id === model);
  const prices = wanted.flatMap((entry) =>
    Object.entries(book.listOf(entry)).map(([name, priceNano]): ListedPrice => {
      const [billingKey, unit] = entry.billing ? [name, PER_TASK] : [entry.id, name];
      const origin = originOf(billingKey, unit, { file, overrides, entry });
      return { billingKey, model: entry.id, unit, priceNano, origin, changesAt: nextOf(steps, billingKey) };
    }),
  );
  const ofKey = prices.filter(({ billingKey }) => billingKey === (wantedKey ?? billingKey));
  // Operations of one model may share their prices.
  return [...new Map(ofKey.map((price) => [`${price.billingKey}\n${price.unit}`, price])).values()];
}

/** A billing key's price by the catalogue and the configuration file. Null: it has none, and a more general key decides. */
export function priceWithoutOverride(
  billingKey: string,
  { entries, file }: Pick<ListPricesOptions, 'entries' | 'file'>,
): PriceOverride | null {
  const book = createPriceBook(file);
  for (const entry of entries) {
    const prices = Object.entries(book.listOf(entry));
    const own = entry.billing ? prices.filter(([key]) => key === billingKey) : entry.id === billingKey ? prices : [];
    const [first] = own;
    if (!first) continue;
    const isWhole = entry.billing !== undefined || first[0] === PER_TASK;
    return isWhole ? { perTask: first[1] } : { units: new Map(own) };
  }
  return null;
}

/** The operators' prices of now, each as it lies over the file's, and those that are set for later. */
export async function listPricesInForce(
  database: Pick<Database, 'followPrices'>,
  file: Prices,
): Promise<{ prices: Prices; scheduled: { name: string; field: 'price'; effectiveAt: string }[] }> {
  const steps = await database.followPrices();
  const overrides = inEffect(steps);
  const inForce = pricesInForce(file, overrides);
  const later = steps.filter(({ effectiveInMs }) => effectiveInMs > 0);
  return {
    prices: new Map([...inForce].filter(([key]) => overrides.has(key))),
    scheduled: later.map(({ billingKey: name, effectiveAt }) => ({
      name,
      field: 'price',
      effectiveAt: effectiveAt.toISOString(),
    })),
  };
}

function inEffect(steps: readonly PriceStep[]): Prices {
  const begun = steps.filter(({ effectiveInMs }) => effectiveInMs <= 0);
  return new Map(
    begun.flatMap(({ billingKey, price }) => (price === null ? [] : [[billingKey, readStored(price)] as const])),
  );
}

interface PriceLayers {
  file: Prices;
  overrides: Prices;
  entry: CatalogueEntry;
}

function originOf(key: string, unit: string, { file, overrides, entry }: PriceLayers): PriceOrigin {
  const prices = (layer: Prices) => {
    const price = layer.get(key);
    return price !== undefined && ('perTask' in price || price.units.has(unit));
  };
  if (prices(overrides)) return 'override';
  return prices(file) || entry.isDescribed ? 'file' : 'catalogue';
}

function nextOf(steps: readonly PriceStep[], key: string): Date | null {
  return steps.find(({ billingKey, effectiveInMs }) => billingKey === key && effectiveInMs > 0)?.effectiveAt ?? null;
}

const ABOVE_ALL = 9_223_372_036_854_775_807n;

/** The prices that operators have set, the newest first, with those that are still to take effect and those that no longer count. */
export function listPriceHistory(
  database: Database,
  { billingKey = null, before = ABOVE_ALL, limit: pageLimit }: PriceHistoryQuery,
): Promise<Page<ListedPriceOverride, bigint>> {
  return readPage<ListedPriceOverride>(pageLimit, (limit) => {
    const page = { before, limit };
    return billingKey === null ? database.listPriceOverrides(page) : database.listPriceOverridesOf(billingKey, page);
  });
}

interface PriceHistoryQuery {
  billingKey?: string | null;
  before?: bigint | undefined;
  limit: number;
}

/** @throws Error: what was set is never removed. */
export async function readPriceOverride(database: Database, id: bigint): Promise<ListedPriceOverride> {
  const [found] = await database.listPriceOverrides({ before: id + 1n, limit: 1 });
  if (found?.id !== id) throw new Error(`there is no price override ${id}`);
  return found;
}

/** As operators see it. Amounts in currency units, times in Unix seconds. */
export function describePrice({ billingKey, model, unit, priceNano, origin, changesAt }: ListedPrice) {
  return {
    key: billingKey,
    model,
    unit,
    price: nanoToNumber(priceNano),
    origin,
    changes_at: exactSecondsOrNull(changesAt),
  };
}

export function describePriceOverride({ id, billingKey, price, effectiveAt, ...set }: ListedPriceOverride) {
  return {
    id: id.toString(),
    key: billingKey,
    price: price && priceInUnits(price),
    effective_at: exactSeconds(effectiveAt),
    set_by: set.setBy,
    reason: set.reason,
    created: exactSeconds(set.createdAt),
  };
}

/** As it was given: a price of the whole task, or prices by unit. */
export function priceInUnits(price: StoredPrice): number | Record<string, number> {
  if ('perTask' in price) return nanoToNumber(BigInt(price.perTask));
  return Object.fromEntries(Object.entries(price.units).map(([unit, nano]) => [unit, nanoToNumber(BigInt(nano))]));
}
