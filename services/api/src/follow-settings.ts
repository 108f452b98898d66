import { layPrices, type Prices } from '@mediagate/billing';
import type { Catalogue } from '@mediagate/catalog';
import { followSettings } from '@mediagate/channels';
import type { Scope } from '@mediagate/host';
import type { Settings } from '@mediagate/settings';
import { createSendingRules, type SendingRules } from '@mediagate/webhooks';
import { createOfferedModels, type FindModels, type OfferedModels } from './offered-models';

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
  let operatorsPrices = (): Prices => NO_PRICES;
  const offered = offeredNow(() => ({ ...current(), channels: openChannels(), overrides: operatorsPrices() }));
  const models: FindModels = (caller) => (caller?.isTest ? offered().ofTests : offered().models);
  return {
    settings,
    catalogue,
    channels,
    models,
    channelSources: () => current().settings.channelSources,
    filePrices: () => current().settings.prices,
    /** For the operators' overrides of channels. */
    override: followed.override,
    /** For the operators' prices: asked at each request for those of the moment. */
    priceBy(prices: () => Prices): void {
      operatorsPrices = prices;
    },
    uploadQuotas: () => current().settings.uploads,
    webhookRules: (): SendingRules => current().webhooks,
  };
}

const NO_PRICES: Prices = new Map();

interface Offer {
  catalogue: Catalogue;
  settings: Settings;
  channels: Settings['channels'];
  /** The operators' prices of the moment. */
  overrides: Prices;
}

interface Offered {
  models: OfferedModels;
  /** Of keys of tests. */
  ofTests: OfferedModels;
}

/** Made anew when anything of it is another than at the request before. */
function offeredNow(read: () => Offer): () => Offered {
  let last: { of: Offer; offered: Offered } | undefined;
  return () => {
    const offer = read();
    const isSame =
      last?.of.settings === offer.settings &&
      last.of.channels === offer.channels &&
      last.of.overrides === offer.overrides;
    if (last === undefined || !isSame) last = { of: offer, offered: makeOffer(offer) };
    return last.offered;
  };
}

function makeOffer({ catalogue, settings, channels, overrides }: Offer): Offered {
  const offer = { channels, prices: layPrices(settings.prices, overrides) };
  return {
    models: createOfferedModels(catalogue, offer, { isTest: false }),
    ofTests: createOfferedModels(catalogue, offer, { isTest: true }),
  };
}
