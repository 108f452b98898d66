import { createGuardedClient, type GuardedClient, type GuardedClientOptions } from '@mediagate/egress';
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

export interface SendingOptions extends Pick<GuardedClientOptions, 'resolve'> {
  /** Names and addresses of this deployment, which no callback may go to. */
  ownHosts: readonly string[];
  maxConnections: number;
}

export function createSendingRules(webhooks: WebhookSettings, { ownHosts, ...network }: SendingOptions): SendingRules {
  const { allowPorts, allowPrivateCidrs, allowOrigins } = webhooks;
  const client = createGuardedClient({ allowPorts, allowPrivateCidrs, allowOrigins, ...network });
  return {
    client,
    policy: { client, ownHosts, allowOrigins },
    timeoutMs: webhooks.timeoutSeconds * 1000,
    retryDelaysMs: webhooks.retryDelaysSeconds.map((seconds) => seconds * 1000),
  };
}

/** The rules of the section as it is when they are asked for: made anew when it is another than before. */
export function followSendingRules(read: () => WebhookSettings, options: SendingOptions): () => SendingRules {
  let last: { of: WebhookSettings; rules: SendingRules } | undefined;
  return () => {
    const of = read();
    if (last?.of !== of) last = { of, rules: createSendingRules(of, options) };
    return last.rules;
  };
}
