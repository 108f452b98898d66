import { createGuardedClient, type GuardedClient } from '@mediagate/egress';
import type { Settings } from '@mediagate/settings';
import type { WebhookPolicy } from '@mediagate/webhooks';

/** How callbacks are sent and where they may go. An attempt takes them as they stand when it starts. */
export interface DeliveryRules {
  client: Pick<GuardedClient, 'post' | 'checkUrl'>;
  policy: WebhookPolicy;
  timeoutMs: number;
  retryDelaysMs: readonly number[];
}

/** The `webhooks` section of the configuration file, ready to use. */
export function createRules(
  webhooks: Settings['webhooks'],
  options: { ownHosts: readonly string[]; maxConnections: number },
): DeliveryRules {
  const { allowPorts, allowPrivateCidrs, allowOrigins } = webhooks;
  const { ownHosts, maxConnections } = options;
  const client = createGuardedClient({ allowPorts, allowPrivateCidrs, allowOrigins, maxConnections });
  return {
    client,
    policy: { client, ownHosts, allowOrigins },
    timeoutMs: webhooks.timeoutSeconds * 1000,
    retryDelaysMs: webhooks.retryDelaysSeconds.map((seconds) => seconds * 1000),
  };
}
