import type { Catalogue, CatalogueEntry, PriceBook, Rates } from '@mediagate/catalog';
import type { Family, JsonObject } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { canServe, type Protocols } from '@mediagate/upstreams';
import { type CarriageJudge, createCarriageJudge } from './carriage-judge';

/** An operation of a model of the catalogue as this deployment offers it. */
export interface OfferedModel {
  entry: CatalogueEntry;
  /**
   * The rates for a task of this input at this moment, with the operator's own prices laid over the catalogue's.
   *
   * @throws GatewayError `unavailable`: the prices in effect are not known.
   */
  ratesOf(input: JsonObject): Rates;
  /** All its prices as they are known, by unit or billing key. */
  prices(): Rates;
  /** True: at least one channel serves the model, or would if no operator had closed it. */
  available: boolean;
  /** Operators have closed all channels that serve it, for a while. */
  isPaused: boolean;
  /** Judges a task by all these channels. */
  lackOf: CarriageJudge;
  /** Judges a task by the channels that no operator has closed; undefined: none is closed. */
  lackNow: CarriageJudge | undefined;
}

export interface OfferedModels {
  all: readonly OfferedModel[];
  /** Finds a model by id or alias, in any letter case; without an operation, the model's first. */
  find(name: string, operation?: string): OfferedModel | undefined;
  /** Every operation of the model. */
  operationsOf(name: string): readonly OfferedModel[];
  /** Families of the models that are offered. */
  families: ReadonlySet<Family>;
}

/** Finds the models offered to a caller; without a caller, those offered to keys that are not test keys. */
export type FindModels = (caller?: { isTest: boolean }) => OfferedModels;

/** The catalogue's prices with the operator's laid over them. */
export interface OfferedPrices {
  /** The prices of the moment, as far as they are known. */
  book(): PriceBook;
  /** @throws GatewayError `unavailable`: others may be in effect. */
  requireKnown(): void;
}

/** The sources that an offer is made from. */
export interface OfferSources {
  /** Channels that take tasks now. */
  channels: readonly Channel[];
  /** Channels that operators have closed for a while. */
  pausedChannels?: readonly Channel[];
  prices: OfferedPrices;
  protocols: Protocols;
}

/**
 * Lists the models that are offered, with their prices: the catalogue as the operator's configuration leaves it. Test keys get the
 * models of the test channels, free of charge.
 */
export function createOfferedModels(
  catalogue: Catalogue,
  { channels, pausedChannels = [], prices, protocols }: OfferSources,
  { isTest }: { isTest: boolean },
): OfferedModels {
  const charged = (rates: Rates): Rates => (isTest ? freeRates(rates) : rates);
  const all = catalogue.entries.map((entry) => {
    const serves = (channel: Channel) => channel.isTest === isTest && isServedBy(channel, entry, protocols);
    const serving = channels.filter(serves);
    const paused = pausedChannels.filter(serves);
    const available = serving.length + paused.length > 0;
    return {
      entry,
      ratesOf(input: JsonObject) {
        prices.requireKnown();
        return charged(prices.book().ratesOf(entry, input));
      },
      prices: () => charged(prices.book().listOf(entry)),
      available,
      isPaused: available && serving.length === 0,
      lackOf: createCarriageJudge(entry, [...serving, ...paused], protocols),
      lackNow: paused.length === 0 ? undefined : createCarriageJudge(entry, serving, protocols),
    };
  });
  const byEntry = new Map(all.map((model) => [model.entry, model]));
  return {
    all,
    families: new Set(all.flatMap(({ entry, available }) => (available ? [entry.family] : []))),
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

function freeRates(rates: Rates): Rates {
  return Object.fromEntries(Object.keys(rates).map((unit) => [unit, 0n]));
}

/** A channel whose protocol is for other families serves nothing, whatever it maps. */
function isServedBy({ protocol, models }: Channel, { id, family }: CatalogueEntry, protocols: Protocols): boolean {
  return models.has(id) && canServe(protocol, family, protocols);
}
