import { type Config, type Scope, visibleSettings } from '@mediagate/host';
import { openQueueViews } from '@mediagate/queue';
import { createApp } from './app';
import { checkSettings, consoleSettings } from './config';
import { probeProcesses } from './health/probe-process';
import { createCredentialCheck } from './login/credentials';
import { createKnownDevices } from './login/known-devices';
import { createLoginLimit, type LoginLimitOptions } from './login/login-limit';
import { createSessions, type SessionOptions } from './login/sessions';
import { listen } from './server';

export interface ConsoleOptions {
  config: Config<typeof consoleSettings>;
  /** How often somebody may try to log in, and how long who did stays; each has its defaults where it applies. */
  limit?: LoginLimitOptions;
  sessions?: SessionOptions;
}

/** The console put together, and listening: what its process runs, and what its tests call. */
export async function startConsole(
  scope: Scope,
  { config, limit, sessions }: ConsoleOptions,
): Promise<{ port: number }> {
  const { logger } = scope;
  const processes = checkSettings(config);
  logger.info('process.settings', { settings: visibleSettings(consoleSettings, config) });
  const queues = openQueueViews({
    redisUrl: config.REDIS_URL,
    prefix: config.REDIS_PREFIX,
    onError: (error) => logger.debug('queue.error', { error }),
  });
  scope.defer('queues', () => queues.close());
  const app = createApp({
    queues,
    logger,
    probeProcesses: () => probeProcesses(processes),
    checkCredentials: await createCredentialCheck({ user: config.CONSOLE_USER, password: config.CONSOLE_PASSWORD }),
    limit: createLoginLimit(limit),
    devices: await createKnownDevices(config.CONSOLE_PASSWORD),
    sessions: createSessions(sessions),
    publicUrl: config.CONSOLE_PUBLIC_URL,
    trustedProxies: config.CONSOLE_TRUSTED_PROXIES,
  });
  // No readiness check on Redis: the page that tells that Redis is down must be served then.
  const server = await listen(app, { port: config.CONSOLE_PORT, host: config.HOST });
  scope.onDrain('requests', () => server.drain());
  logger.info('console.listening', { port: server.port });
  return { port: server.port };
}
