import { followPrices, type Prices, pricesInForce } from '@mediagate/billing';
import { followSendingRules, MAX_TEST_CALLBACKS } from '@mediagate/callbacks';
import { type Catalogue, createPriceBook, currentCatalogue, type PriceBook } from '@mediagate/catalog';
import { type FollowedConfiguration, followConfiguration, judgeOnce, type SettingsInForce } from '@mediagate/channels';
import { GatewayError, message } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import { createPartReader, createSettingsReader, protocolsOf, type Settings } from '@mediagate/settings';
import type { AppOptions } from './api-options';
import type { ApiConfig } from './config';
import { listSettings } from './list-settings';
import { createOfferedModels, type FindModels, type OfferedModels, type OfferedPrices } from './offered-models';

export interface FollowOptions {
  database: Database;
  config: ApiConfig;
  /** Protocols of the channels whose keys this process has. */
  keysOf: Set<string>;
  /** Host names of this service, and origins beside public ones that callbacks may go to. */
  reach: { ownHosts: readonly string[]; allowOrigins: readonly string[] };
}

/** The settings that the API goes by. */
export type Followed = Awaited<ReturnType<typeof followApiSettings>>;

/**
 * Follows the operator's file, which is read again on SIGHUP, what operators set over it, and their prices. `settings` are those of the
 * start, for what cannot change while the service runs; the rest is always current.
 */
export async function followApiSettings(
  scope: Scope,
  {
    database,
    config,
    keysOf,
    reach,
    ...options
  }: FollowOptions & Pick<AppOptions, 'read' | 'reader' | 'judge' | 'times'>,
) {
  const { MEDIAGATE_CONFIG: path, CHANNEL_ALLOW_ORIGINS: allowOrigins } = config;
  const { followMs: everyMs, priceClock: now } = options.times;
  const readFile = createSettingsReader(path, process.env, { keysOf });
  const read = () => options.read?.(keysOf) ?? readFile();
  const { reader } = options;
  const followed = await followConfiguration(scope, { database, config, read, keysOf, reader, everyMs });
  const { channels, current, inForce, known } = followed;
  const ofOperators = await followPrices(scope, { database, everyMs, now });
  const prices = {
    book: bookNow(() => ({ file: current().settings.prices, overrides: ofOperators.current() })),
    requireKnown: () => requireKnown([ofOperators, known]),
  };
  scope.addReadinessCheck('prices', async () => prices.requireKnown());
  const offered = offeredNow(() => ({ ...current(), inForce: inForce() }), prices);
  const models: FindModels = (caller) => (caller?.isTest ? offered().ofTests : offered().models);
  return {
    settings: current().settings,
    catalogue: currentCatalogue(() => current().catalogue),
    channels,
    openChannels: () => inForce().channels,
    lookupFor: followed.lookupFor,
    models,
    channelDomain: channelDomain(followed, allowOrigins, options),
    filePrices: () => current().settings.prices,
    listSettings: () => listSettings(config, followed),
    uploadQuotas: () => current().settings.uploads,
    webhookRules: followSendingRules(() => inForce().webhooks, { ...reach, maxConnections: MAX_TEST_CALLBACKS }),
  };
}

/** The domain of channels: what it changes, and the readers that judge a change. */
function channelDomain(
  { current, inForce, sealer }: FollowedConfiguration<{ settings: Settings }>,
  allowOrigins: readonly string[],
  { reader, judge }: Pick<AppOptions, 'reader' | 'judge'>,
) {
  const ofFile = { allowOrigins, inFile: () => current().settings };
  return {
    inFile: () => current().settings.channelSources,
    sources: () => inForce().channelSources,
    webhooksInFile: () => current().settings.webhooks,
    sealer,
    reader: judgeOnce(judge ?? createPartReader(process.env, { ...ofFile, keysOf: new Set() })),
    keys: reader ?? createPartReader(process.env, ofFile),
    protocols: () => protocolsOf(current().settings),
  };
}

/** A process looks at them more often than that. */
const SETTINGS_RETRY_SECONDS = 2;

/** @throws GatewayError `unavailable` */
function requireKnown(followed: readonly { areKnown(): boolean }[]): void {
  const areKnown = followed.map((each) => each.areKnown());
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
    if (last === undefined || !isSame) last = { of, book: createPriceBook(pricesInForce(of.file, of.overrides)) };
    return last.book;
  };
}

interface Offer {
  catalogue: Catalogue;
  settings: Settings;
  inForce: Pick<SettingsInForce, 'channels' | 'pausedChannels'>;
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
    const isSame = last?.of.inForce === offer.inForce && last.of.catalogue === offer.catalogue;
    if (last === undefined || !isSame) last = { of: offer, offered: makeOffer(offer, prices) };
    return last.offered;
  };
}

function makeOffer(
  { catalogue, settings, inForce: { channels, pausedChannels } }: Offer,
  prices: OfferedPrices,
): Offered {
  const sources = { channels, pausedChannels, prices, protocols: protocolsOf(settings) };
  return {
    models: createOfferedModels(catalogue, sources, { isTest: false }),
    ofTests: createOfferedModels(catalogue, sources, { isTest: true }),
  };
}
