import type { Catalogue, CatalogueEntry, PriceBook, Rates } from '@mediagate/catalog';
import type { Settings } from '@mediagate/settings';

/** A model of the catalogue as this deployment offers it. */
export interface OfferedModel {
  entry: CatalogueEntry;
  /** With the operator's own prices laid over the catalogue's. */
  rates: Rates;
  /** At least one channel serves it. */
  available: boolean;
}

export interface OfferedModels {
  all: readonly OfferedModel[];
  /** By id or alias, whatever its letter case. */
  find(name: string): OfferedModel | undefined;
}

/** Which models can be had, and for how much: the catalogue seen through the operator's configuration. */
export function createOfferedModels(
  catalogue: Catalogue,
  channels: Settings['channels'],
  prices: PriceBook,
): OfferedModels {
  const served = new Set(channels.flatMap((channel) => [...channel.models.keys()]));
  const all = catalogue.entries.map((entry) => ({
    entry,
    rates: prices(entry.id),
    available: served.has(entry.id),
  }));
  const byId = new Map(all.map((model) => [model.entry.id, model]));
  return {
    all,
    find(name) {
      const entry = catalogue.find(name);
      return entry && byId.get(entry.id);
    },
  };
}
