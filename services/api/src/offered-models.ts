import type { Catalogue, CatalogueEntry, PriceBook, Rates } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import type { Settings } from '@mediagate/settings';
import { type CarriageJudge, createCarriageJudge } from './carriage-judge';

/** An operation of a model of the catalogue as this deployment offers it. */
export interface OfferedModel {
  entry: CatalogueEntry;
  /** What a task of this input is priced by, with the operator's own prices laid over the catalogue's. */
  ratesOf(input: JsonObject): Rates;
  /** All its prices, by unit or billing key. */
  prices: Rates;
  /** At least one channel serves it. */
  available: boolean;
  lackOf: CarriageJudge;
}

export interface OfferedModels {
  all: readonly OfferedModel[];
  /** By id or alias, whatever its letter case; without an operation the model's first. */
  find(name: string, operation?: string): OfferedModel | undefined;
  /** Every operation of the model. */
  operationsOf(name: string): readonly OfferedModel[];
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
    ratesOf: (input: JsonObject) => prices.ratesOf(entry, input),
    prices: prices.listOf(entry),
    available: served.has(entry.id),
    lackOf: createCarriageJudge(entry, channels),
  }));
  const byEntry = new Map(all.map((model) => [model.entry, model]));
  return {
    all,
    find(name, operation) {
      const entry = catalogue.find(name, operation);
      return entry && byEntry.get(entry);
    },
    operationsOf(name) {
      const id = catalogue.find(name)?.id;
      return all.filter(({ entry }) => entry.id === id);
    },
  };
}
