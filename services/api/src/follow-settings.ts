import { type FollowedPrices, layPrices, type Prices } from '@mediagate/billing';
import { followSendingRules, MAX_TEST_CALLBACKS } from '@mediagate/callbacks';
import { type Catalogue, createPriceBook, currentCatalogue, type PriceBook } from '@mediagate/catalog';
import { type FollowedOverrides, followSettings, type LaidSettings } from '@mediagate/channels';
import { GatewayError, message } from '@mediagate/contracts';
import type { Scope } from '@mediagate/host';
import { createPartReader, type PartReader, type Settings } from '@mediagate/settings';
import { type ApiConfig, readSettings } from './config';
import { createOfferedModels, type FindModels, type OfferedModels, type OfferedPrices } from './offered-models';

export interface FollowOptions {
  read(): { settings: Settings; catalogue: Catalogue };
  /** Reads what operators have set over the file. */
  reader: PartReader;
  /** Host names of this service, and origins beside public ones that callbacks may go to. */
  reach: { ownHosts: readonly string[]; allowOrigins: readonly string[] };
}

/**
 * Follows the operator's file, which is read again on SIGHUP. `settings` are those of the start, for what cannot change while the
 * service runs; the rest is always current.
 */
export function followApiSettings(scope: Scope, { read, reader, reach }: FollowOptions) {
  const followed = followSettings(scope, { read, reader });
  const { channels, current, laid } = followed;
  const { settings } = current();
  let ofOperators = UNKNOWN;
  const prices = {
    book: bookNow(() => ({ file: current().settings.prices, overrides: ofOperators.prices.current() })),
    requireKnown: () => requireKnown(ofOperators),
  };
  const offered = offeredNow(() => ({ catalogue: current().catalogue, laid: laid() }), prices);
  const models: FindModels = (caller) => (caller?.isTest ? offered().ofTests : offered().models);
  return {
    settings,
    catalogue: currentCatalogue(() => current().catalogue),
    channels,
    openChannels: () => laid().channels,
    models,
    /** For the domain of channels. */
    ofFile: {
      inFile: () => current().settings.channelSources,
      sources: () => laid().channelSources,
      webhooksInFile: () => current().settings.webhooks,
    },
    filePrices: () => current().settings.prices,
    steered: {
      /** The settings of the file, over which operators set theirs. */
      overridable: followed,
      /** Gives access to what operators have set. Nothing can be priced before this is called. */
      followKnown(known: KnownSettings): void {
        ofOperators = known;
      },
      /** @throws GatewayError `unavailable` */
      requireKnown: prices.requireKnown,
    },
    uploadQuotas: () => current().settings.uploads,
    webhookRules: followSendingRules(() => laid().webhooks, { ...reach, maxConnections: MAX_TEST_CALLBACKS }),
  };
}

/** The operators' settings as this process knows them. */
export interface KnownSettings {
  prices: FollowedPrices;
  /** Channels, which say what vendors are paid. */
  channels: Pick<FollowedOverrides, 'areKnown'>;
}

const UNKNOWN: KnownSettings = {
  prices: { current: () => new Map(), areKnown: () => false },
  channels: { areKnown: () => false },
};
/** A process looks at them more often than that. */
const SETTINGS_RETRY_SECONDS = 2;

/** @throws GatewayError `unavailable` */
function requireKnown({ prices, channels }: KnownSettings): void {
  const areKnown = [prices.areKnown(), channels.areKnown()];
  if (areKnown.every((each) => each)) return;
  throw new GatewayError('unavailable', message('service_unavailable'), {
    retryAfterSeconds: SETTINGS_RETRY_SECONDS,
    internal: 'what operators have set is not known',
  });
}

interface PriceLayers {
  file: Prices;
  /** The operators' prices of the moment. */
  overrides: Prices;
}

/** The price book of the moment, made anew when one of its layers has changed since the request before. */
function bookNow(read: () => PriceLayers): () => PriceBook {
  let last: { of: PriceLayers; book: PriceBook } | undefined;
  return () => {
    const of = read();
    const isSame = last?.of.file === of.file && last.of.overrides === of.overrides;
    if (last === undefined || !isSame) last = { of, book: createPriceBook(layPrices(of.file, of.overrides)) };
    return last.book;
  };
}

interface Offer {
  catalogue: Catalogue;
  laid: Pick<LaidSettings, 'channels' | 'pausedChannels'>;
}

interface Offered {
  models: OfferedModels;
  /** Models for test keys. */
  ofTests: OfferedModels;
}

/** The offer of the moment, made anew when any part of it has changed since the request before. */
function offeredNow(read: () => Offer, prices: OfferedPrices): () => Offered {
  let last: { of: Offer; offered: Offered } | undefined;
  return () => {
    const offer = read();
    const isSame = last?.of.laid === offer.laid && last.of.catalogue === offer.catalogue;
    if (last === undefined || !isSame) last = { of: offer, offered: makeOffer(offer, prices) };
    return last.offered;
  };
}

function makeOffer({ catalogue, laid: { channels, pausedChannels } }: Offer, prices: OfferedPrices): Offered {
  const sources = { channels, pausedChannels, prices };
  return {
    models: createOfferedModels(catalogue, sources, { isTest: false }),
    ofTests: createOfferedModels(catalogue, sources, { isTest: true }),
  };
}

/** A test's replacements for how settings are read. */
interface Readings {
  read?: (protocols: ReadonlySet<string>) => { settings: Settings; catalogue: Catalogue };
  reader?: PartReader;
}

/** How the file is read, and what operators set over it: with the keys of these protocols alone. */
export function readingOf(
  { MEDIAGATE_CONFIG: path, CHANNEL_ALLOW_ORIGINS: allowOrigins }: ApiConfig,
  { read, reader }: Readings,
  keysOf: Set<string>,
) {
  return {
    read: () => read?.(keysOf) ?? readSettings(path, keysOf),
    reader: reader ?? createPartReader(process.env, { keysOf, allowOrigins }),
  };
}
