import { type FollowedPrices, layPrices, type Prices } from '@mediagate/billing';
import { type Catalogue, createPriceBook, type PriceBook } from '@mediagate/catalog';
import { followSettings } from '@mediagate/channels';
import { GatewayError, message } from '@mediagate/contracts';
import type { Scope } from '@mediagate/host';
import type { Settings } from '@mediagate/settings';
import { createSendingRules, type SendingRules } from '@mediagate/webhooks';
import { createOfferedModels, type FindModels, type OfferedModels, type OfferedPrices } from './offered-models';

/** Callbacks of test that one process sends at once. */
const MAX_TEST_CALLBACKS = 64;

export interface FollowOptions {
  read(): { settings: Settings; catalogue: Catalogue };
  /** Host names of this service. */
  ownHosts: readonly string[];
}

/**
 * Follows the operator's file, which is read again on SIGHUP. `settings` and `catalogue` are those of the start, for what cannot
 * change while the service runs; the rest is always current.
 */
export function followApiSettings(scope: Scope, { read, ownHosts }: FollowOptions) {
  const followed = followSettings(scope, () => {
    const { settings, catalogue } = read();
    const webhooks = createSendingRules(settings.webhooks, { ownHosts, maxConnections: MAX_TEST_CALLBACKS });
    return { settings, catalogue, webhooks };
  });
  const { channels, current, openChannels } = followed;
  const { settings, catalogue } = current();
  let ofOperators: FollowedPrices = UNKNOWN_PRICES;
  const prices = {
    book: bookNow(() => ({ file: current().settings.prices, overrides: ofOperators.current() })),
    requireKnown: () => requireKnown(ofOperators),
  };
  const offered = offeredNow(() => ({ ...current(), channels: openChannels() }), prices);
  const models: FindModels = (caller) => (caller?.isTest ? offered().ofTests : offered().models);
  return {
    settings,
    catalogue,
    channels,
    openChannels,
    models,
    requirePrices: prices.requireKnown,
    channelSources: () => current().settings.channelSources,
    filePrices: () => current().settings.prices,
    followed: { current, overrides: followed.overrides },
    /** For the operators' overrides of channels. */
    override: followed.override,
    /** For the operators' prices: asked whenever something is priced. Before, nothing can be. */
    priceBy(followed: FollowedPrices): void {
      ofOperators = followed;
    },
    uploadQuotas: () => current().settings.uploads,
    webhookRules: (): SendingRules => current().webhooks,
  };
}

const UNKNOWN_PRICES: FollowedPrices = { current: () => new Map(), areKnown: () => false };
/** A process looks at the prices more often than that. */
const PRICES_RETRY_SECONDS = 2;

/** @throws GatewayError `unavailable` */
function requireKnown(prices: FollowedPrices): void {
  if (prices.areKnown()) return;
  throw new GatewayError('unavailable', message('service_unavailable'), {
    retryAfterSeconds: PRICES_RETRY_SECONDS,
    internal: 'the prices of operators are not known',
  });
}

interface PriceLayers {
  file: Prices;
  /** The operators' prices of the moment. */
  overrides: Prices;
}

/** Made anew when one of its layers is another than at the request before. */
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
  settings: Settings;
  channels: Settings['channels'];
}

interface Offered {
  models: OfferedModels;
  /** Of keys of tests. */
  ofTests: OfferedModels;
}

/** Made anew when anything of it is another than at the request before. */
function offeredNow(read: () => Offer, prices: OfferedPrices): () => Offered {
  let last: { of: Offer; offered: Offered } | undefined;
  return () => {
    const offer = read();
    const isSame = last?.of.settings === offer.settings && last.of.channels === offer.channels;
    if (last === undefined || !isSame) last = { of: offer, offered: makeOffer(offer, prices) };
    return last.offered;
  };
}

function makeOffer({ catalogue, channels, settings }: Offer, prices: OfferedPrices): Offered {
  const sources = { channels, inFile: settings.channels, prices };
  return {
    models: createOfferedModels(catalogue, sources, { isTest: false }),
    ofTests: createOfferedModels(catalogue, sources, { isTest: true }),
  };
}
