import { type Catalogue, createPriceBook } from '@mediagate/catalog';
import { followSettings } from '@mediagate/channels';
import type { Scope } from '@mediagate/host';
import type { Settings } from '@mediagate/settings';
import { createSendingRules, type SendingRules } from '@mediagate/webhooks';
import { createOfferedModels, type OfferedModels } from './offered-models';

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
  const { channels, current } = followSettings(scope, () => {
    const { settings, catalogue } = read();
    const models = createOfferedModels(catalogue, settings.channels, createPriceBook(settings.prices));
    const webhooks = createSendingRules(settings.webhooks, { ownHosts, maxConnections: MAX_TEST_CALLBACKS });
    return { settings, catalogue, models, webhooks };
  });
  const { settings, catalogue } = current();
  return {
    settings,
    catalogue,
    channels,
    models: (): OfferedModels => current().models,
    uploadQuotas: () => current().settings.uploads,
    webhookRules: (): SendingRules => current().webhooks,
  };
}
