import { type Catalogue, createPriceBook } from '@mediagate/catalog';
import { followSettings as follow } from '@mediagate/channels';
import { createGuardedClient } from '@mediagate/egress';
import type { Scope } from '@mediagate/host';
import type { Settings } from '@mediagate/settings';
import { createOfferedModels, type OfferedModels } from './offered-models';

/** What of the operator's file may change while the service runs, read again on SIGHUP. */
export function followSettings(scope: Scope, read: () => { settings: Settings; catalogue: Catalogue }) {
  const { channels, current } = follow(scope, () => {
    const { settings, catalogue } = read();
    const models = createOfferedModels(catalogue, settings.channels, createPriceBook(settings.prices));
    return { settings, catalogue, models, webhookClient: createGuardedClient(settings.webhooks) };
  });
  return {
    ...current(),
    channels,
    models: (): OfferedModels => current().models,
    uploadQuotas: () => current().settings.uploads,
    webhookClient: { checkUrl: (url: string) => current().webhookClient.checkUrl(url) },
  };
}
