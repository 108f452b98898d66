import type { Catalogue, CatalogueEntry, PriceBook, Rates } from '@mediagate/catalog';
import type { JsonObject } from '@mediagate/contracts';
import type { Channel, Settings } from '@mediagate/settings';
import { canServe } from '@mediagate/upstreams';
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
  const all = catalogue.entries.map((entry) => {
    const serving = channels.filter((channel) => isServedBy(channel, entry));
    return {
      entry,
      ratesOf: (input: JsonObject) => prices.ratesOf(entry, input),
      prices: prices.listOf(entry),
      available: serving.length > 0,
      lackOf: createCarriageJudge(entry, serving),
    };
  });
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

/** A channel whose protocol is for other families serves nothing, whatever it maps. */
function isServedBy({ protocol, models }: Channel, { id, family }: CatalogueEntry): boolean {
  return models.has(id) && canServe(protocol, family);
}
