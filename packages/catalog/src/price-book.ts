import type { Nano } from '@mediagate/contracts';
import type { CatalogueEntry, Rates } from './entry';
import { PER_TASK, toRates } from './rates';

/** The operator's price of one billing key, in nano-units: of a whole task, or of some of the model's units. */
export type PriceOverride = { perTask: Nano } | { units: ReadonlyMap<string, Nano> };

/** Rates of a model by its id; throws for a model that is not in the catalogue. */
export type PriceBook = (modelId: string) => Rates;

/** Default prices of the catalogue with the operator's laid over them: one unit each, or the whole task. */
export function createPriceBook(
  catalogue: { entries: readonly CatalogueEntry[] },
  overrides: ReadonlyMap<string, PriceOverride> = new Map(),
): PriceBook {
  const book = new Map(
    catalogue.entries.map((entry) => [
      entry.id,
      overlay(toRates(entry.id, entry.defaultPrices), overrides.get(entry.id)),
    ]),
  );
  return (modelId) => {
    const rates = book.get(modelId);
    if (!rates) throw new Error(`There is no price for ${modelId}`);
    return rates;
  };
}

function overlay(rates: Rates, override: PriceOverride | undefined): Rates {
  if (!override) return Object.freeze(rates);
  if ('perTask' in override) return Object.freeze({ [PER_TASK]: override.perTask });
  return Object.freeze({ ...rates, ...Object.fromEntries(override.units) });
}
