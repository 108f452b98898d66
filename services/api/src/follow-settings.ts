import { type Catalogue, createPriceBook } from '@mediagate/catalog';
import { followSettings } from '@mediagate/channels';
import { createGuardedClient } from '@mediagate/egress';
import type { Scope } from '@mediagate/host';
import type { Settings } from '@mediagate/settings';
import { createOfferedModels, type OfferedModels } from './offered-models';

/**
 * Follows the operator's file, which is read again on SIGHUP. `settings` and `catalogue` are those of the start, for what cannot
 * change while the service runs; the rest is always current.
 */
export function followApiSettings(scope: Scope, read: () => { settings: Settings; catalogue: Catalogue }) {
  const { channels, current } = followSettings(scope, () => {
    const { settings, catalogue } = read();
    const models = createOfferedModels(catalogue, settings.channels, createPriceBook(settings.prices));
    return { settings, catalogue, models, webhookClient: createGuardedClient(settings.webhooks) };
  });
  const { settings, catalogue } = current();
  return {
    settings,
    catalogue,
    channels,
    models: (): OfferedModels => current().models,
    uploadQuotas: () => current().settings.uploads,
    webhookClient: { checkUrl: (url: string) => current().webhookClient.checkUrl(url) },
  };
}
