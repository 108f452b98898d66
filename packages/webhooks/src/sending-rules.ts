import { createGuardedClient, type GuardedClient } from '@mediagate/egress';
import type { WebhookPolicy } from './callback-url';

/** How callbacks are sent and where they may go. An attempt takes them as they stand when it starts. */
export interface SendingRules {
  client: Pick<GuardedClient, 'post' | 'checkUrl'>;
  policy: WebhookPolicy;
  timeoutMs: number;
  retryDelaysMs: readonly number[];
}

/** The `webhooks` section of the configuration file. */
export interface WebhookSettings {
  retryDelaysSeconds: readonly number[];
  timeoutSeconds: number;
  allowPorts: number[];
  allowPrivateCidrs: string[];
  allowOrigins: string[];
}

export function createSendingRules(
  webhooks: WebhookSettings,
  options: { ownHosts: readonly string[]; maxConnections: number },
): SendingRules {
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
