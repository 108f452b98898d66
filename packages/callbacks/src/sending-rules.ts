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
  /** Origins of the process's environment, which count like those of the file (`CALLBACK_ALLOW_ORIGINS`). */
  allowOrigins?: readonly string[];
  /** Names and addresses of this deployment, which no callback may go to. */
  ownHosts: readonly string[];
  maxConnections: number;
}

export function createSendingRules(
  webhooks: WebhookSettings,
  { ownHosts, allowOrigins: ofProcess = [], ...network }: SendingOptions,
): SendingRules {
  const { allowPorts, allowPrivateCidrs } = webhooks;
  const allowOrigins = [...webhooks.allowOrigins, ...ofProcess];
  const client = createGuardedClient({ allowPorts, allowPrivateCidrs, allowOrigins, ...network });
  return {
    client,
    policy: { client, ownHosts, allowOrigins },
    timeoutMs: webhooks.timeoutSeconds * 1000,
    retryDelaysMs: webhooks.retryDelaysSeconds.map((seconds) => seconds * 1000),
  };
}

/**
 * The rules of the section as it is when they are asked for: made anew when it is another than before.
 *
 * @throws TypeError for an `allowOrigins` that is no origin.
 */
export function followSendingRules(read: () => WebhookSettings, options: SendingOptions): () => SendingRules {
  createGuardedClient({ allowPorts: [], allowPrivateCidrs: [], allowOrigins: options.allowOrigins ?? [] });
  let last: { of: WebhookSettings; rules: SendingRules } | undefined;
  return () => {
    const of = read();
    if (last?.of !== of) last = { of, rules: createSendingRules(of, options) };
    return last.rules;
  };
}
