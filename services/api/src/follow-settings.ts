import type { Catalogue } from '@mediagate/catalog';
import { followSettings } from '@mediagate/channels';
import type { Scope } from '@mediagate/host';
import type { Settings } from '@mediagate/settings';
import { createSendingRules, type SendingRules } from '@mediagate/webhooks';
import { createOfferedModels, type FindModels } from './offered-models';

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
    const models = createOfferedModels(catalogue, settings, { isTest: false });
    const testModels = createOfferedModels(catalogue, settings, { isTest: true });
    const webhooks = createSendingRules(settings.webhooks, { ownHosts, maxConnections: MAX_TEST_CALLBACKS });
    return { settings, catalogue, models, testModels, webhooks };
  });
  const { settings, catalogue } = current();
  const models: FindModels = (caller) => (caller?.isTest ? current().testModels : current().models);
  return {
    settings,
    catalogue,
    channels,
    models,
    uploadQuotas: () => current().settings.uploads,
    webhookRules: (): SendingRules => current().webhooks,
  };
}
