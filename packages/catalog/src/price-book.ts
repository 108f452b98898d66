import type { JsonObject, Nano } from '@mediagate/contracts';
import type { CatalogueEntry, Rates } from './entry';
import { PER_TASK, toRates } from './rates';

/** The operator's price of one billing key, in nano-units: of a whole task, or of some of the model's units. */
export type PriceOverride = { perTask: Nano } | { units: ReadonlyMap<string, Nano> };

/** Prices of the catalogue with the operator's laid over them. */
export interface PriceBook {
  /** What a task of this input is priced by, and nothing more: it is kept with the task. */
  ratesOf(entry: CatalogueEntry, input: JsonObject): Rates;
  /** All prices of an entry, by unit, or by billing key. */
  listOf(entry: CatalogueEntry): Rates;
}

/**
 * Where units are priced, the operator's price of each takes the place of the catalogue's, and a price of the whole task
 * that of all units. Where keys are, the most specific key that the operator has priced decides, and only where they priced
 * none of an input's keys the most specific of the catalogue: a list with just the model's id prices everything.
 */
export function createPriceBook(overrides: ReadonlyMap<string, PriceOverride> = new Map()): PriceBook {
  const lists = new Map<CatalogueEntry, PriceList>();
  const listFor = (entry: CatalogueEntry): PriceList => {
    const list = lists.get(entry) ?? readList(entry, overrides);
    lists.set(entry, list);
    return list;
  };
  return {
    ratesOf(entry, input) {
      const { ours, theirs } = listFor(entry);
      if (!entry.billing) return theirs ?? ours;
      const keys = entry.billing.keys(input);
      return pick(theirs ?? {}, keys) ?? pick(ours, keys) ?? missing(entry);
    },
    listOf(entry) {
      const { ours, theirs } = listFor(entry);
      if (!entry.billing) return theirs ?? ours;
      // With a price of their own for everything, none of ours can decide any more.
      return theirs?.[entry.id] === undefined ? { ...ours, ...theirs } : theirs;
    },
  };
}

/** `theirs`: with units, all that they come to; with keys, those that the operator priced. */
interface PriceList {
  ours: Rates;
  theirs?: Rates;
}

function readList(entry: CatalogueEntry, overrides: ReadonlyMap<string, PriceOverride>): PriceList {
  const ours = Object.freeze(toRates(entry.id, entry.defaultPrices));
  if (entry.billing) return { ours, theirs: pricedKeys(entry.billing.known, overrides) };
  const override = overrides.get(entry.id);
  if (!override) return { ours };
  if ('perTask' in override) return { ours, theirs: Object.freeze({ [PER_TASK]: override.perTask }) };
  return { ours, theirs: Object.freeze({ ...ours, ...Object.fromEntries(override.units) }) };
}

function pricedKeys(known: readonly string[], overrides: ReadonlyMap<string, PriceOverride>): Rates {
  const priced = known.flatMap((key): [string, Nano][] => {
    const override = overrides.get(key);
    return override && 'perTask' in override ? [[key, override.perTask]] : [];
  });
  return Object.freeze(Object.fromEntries(priced));
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
