import { type Catalogue, createPriceBook } from '@mediagate/catalog';
import { createChannelChooser } from '@mediagate/channels';
import { createGuardedClient } from '@mediagate/egress';
import type { Scope } from '@mediagate/host';
import type { Settings } from '@mediagate/settings';
import { createOfferedModels, type OfferedModels } from './offered-models';

/** What of the operator's file may change while the service runs, read again on SIGHUP. */
export function followSettings(scope: Scope, catalogue: Catalogue, settings: Settings, read: () => Settings) {
  const use = ({ channels, prices, webhooks, uploads }: Settings) => ({
    uploads,
    models: createOfferedModels(catalogue, channels, createPriceBook(prices)),
    webhookClient: createGuardedClient(webhooks),
  });
  let current = use(settings);
  const chooser = createChannelChooser(settings.channels);
  scope.onReload('models, prices, upload quotas and webhook rules', () => {
    const next = read();
    current = use(next);
    chooser.replace(next.channels);
    return { digest: next.digest };
  });
  return {
    channels: chooser,
    models: (): OfferedModels => current.models,
    uploadQuotas: () => current.uploads,
    webhookClient: { checkUrl: (url: string) => current.webhookClient.checkUrl(url) },
  };
}
