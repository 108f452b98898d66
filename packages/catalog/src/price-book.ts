import type { JsonObject, Nano } from '@mediagate/contracts';
import type { CatalogueEntry, Rates } from './entry';
import { PER_TASK, toRates } from './rates';

/** The operator's price of one billing key, in nano-units: of a whole task, or of some of the model's units. */
export type PriceOverride = { perTask: Nano } | { units: ReadonlyMap<string, Nano> };

/** Prices of the catalogue with the operator's laid over them. */
export interface PriceBook {
  /** The prices that apply to a task of this input, and no others: they are kept with the task. */
  ratesOf(entry: CatalogueEntry, input: JsonObject): Rates;
  /** All prices of an entry, by unit, or by billing key. */
  listOf(entry: CatalogueEntry): Rates;
}

/**
 * The operator's prices and the catalogue's are one table: a price of the operator replaces the catalogue's of the same key
 * or unit and no other. Where units are priced, a price of the whole task replaces them all. Where keys are, the most
 * specific key of the input that is in the table decides, whoever priced it.
 */
export function createPriceBook(overrides: ReadonlyMap<string, PriceOverride> = new Map()): PriceBook {
  const lists = new Map<CatalogueEntry, Rates>();
  const listOf = (entry: CatalogueEntry): Rates => {
    const list = lists.get(entry) ?? Object.freeze(readList(entry, overrides));
    lists.set(entry, list);
    return list;
  };
  return {
    ratesOf(entry, input) {
      const list = listOf(entry);
      return entry.billing ? (pick(list, entry.billing.keys(input)) ?? missing(entry)) : list;
    },
    listOf,
  };
}

function readList(entry: CatalogueEntry, overrides: ReadonlyMap<string, PriceOverride>): Rates {
  const defaults = toRates(entry.id, entry.defaultPrices);
  if (entry.billing) return { ...defaults, ...pricedKeys(entry.billing.known, overrides) };
  const override = overrides.get(entry.id);
  if (!override) return defaults;
  if ('perTask' in override) return { [PER_TASK]: override.perTask };
  return { ...defaults, ...Object.fromEntries(override.units) };
}

function pricedKeys(known: readonly string[], overrides: ReadonlyMap<string, PriceOverride>): Rates {
  const priced = known.flatMap((key): [string, Nano][] => {
    const override = overrides.get(key);
    return override && 'perTask' in override ? [[key, override.perTask]] : [];
  });
  return Object.fromEntries(priced);
}

/** The price of the first of these keys that has one. */
function pick(rates: Rates, keys: readonly string[]): Rates | undefined {
  for (const key of keys) {
    const price = rates[key];
    if (price !== undefined) return { [key]: price };
  }
  return undefined;
}

function missing({ id, operation }: CatalogueEntry): never {
  throw new Error(`There is no price for ${operation} of ${id}`);
}
