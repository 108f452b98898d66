import { join } from 'node:path';
import { type Config, type Scope, visibleSettings } from '@mediagate/host';
import { findIdentified, listPlaces, signInAs } from '@mediagate/identity';
import { openQueueViews } from '@mediagate/queue';
import { type AppDeps, createApp } from './app';
import { checkSettings, consoleSettings } from './config';
import { createGatewayProxy } from './gateway/gateway-proxy';
import { probeProcesses } from './health/probe-process';
import { createProvenCookie, PROVEN_LIFE_MS } from './oidc/proven-cookie';
import { createProvider } from './oidc/provider';
import { parseRoleMap } from './oidc/role-map';
import { listen } from './server';
import { createCookie } from './session/cookie';
import { createKnownDevices } from './session/known-devices';
import { createSignInLimit, type SignInLimitOptions } from './session/sign-in-limit';
import { openUsers } from './users/open-users';

export interface ConsoleOptions {
  config: Config<typeof consoleSettings>;
  /** How often somebody may try to sign in; each pace has its default where it applies. */
  limit?: SignInLimitOptions;
  pageDirectory?: string;
}

const DAY_MS = 86_400_000;
/** No longer than the oldest session. */
const SESSION_COOKIE_MS = 7 * DAY_MS;
/** A browser in which somebody signs in once in half a year is known. */
const DEVICE_COOKIE_MS = 180 * DAY_MS;
/** A sign-in elsewhere takes no longer. */
const ATTEMPT_COOKIE_MS = 15 * 60_000;
/** The page's build, which stands beside `src` and `dist` alike. */
const PAGE = join(__dirname, '../web/dist');

/** The console put together, and listening: what its process runs, and what its tests call. */
export async function startConsole(scope: Scope, options: ConsoleOptions): Promise<{ port: number }> {
  const { config } = options;
  const { logger } = scope;
  const processes = checkSettings(config);
  logger.info('process.settings', { settings: visibleSettings(consoleSettings, config) });
  const queues = openQueueViews({
    redisUrl: config.REDIS_URL,
    prefix: config.REDIS_PREFIX,
    onError: (error) => logger.debug('queue.error', { error }),
  });
  scope.defer('queues', () => queues.close());
  const users = await openUsers(scope, config);
  const app = createApp({
    ...users,
    ...openCookies(config),
    oidc: openOidc(users, config),
    limit: createSignInLimit(options.limit),
    queues,
    logger,
    gateway: openGateway(scope, config),
    gatewayUrl: config.PUBLIC_BASE_URL ?? config.GATEWAY_URL,
    mediaOrigins: [new URL(config.PUBLIC_BASE_URL ?? config.GATEWAY_URL).origin, ...config.CONSOLE_MEDIA_ORIGINS],
    probeProcesses: () => probeProcesses(processes),
    publicUrl: config.CONSOLE_PUBLIC_URL,
    trustedProxies: config.CONSOLE_TRUSTED_PROXIES,
    pageDirectory: options.pageDirectory ?? PAGE,
  });
  // No readiness check on Redis: the page that tells that Redis is down must be served then.
  const isBehindProxy = config.CONSOLE_TRUSTED_PROXIES > 0;
  const keepAliveMs = config.KEEP_ALIVE_SECONDS * 1000;
  const server = await listen(app, { port: config.CONSOLE_PORT, host: config.HOST, keepAliveMs, isBehindProxy });
  scope.onDrain('requests', () => server.drain());
  logger.info('console.listening', { port: server.port });
  return { port: server.port };
}

function openCookies(config: ConsoleOptions['config']): Pick<AppDeps, 'cookie' | 'deviceCookie' | 'devices'> {
  const secure = config.CONSOLE_PUBLIC_URL?.startsWith('https:') ?? false;
  return {
    cookie: createCookie('mediagate-console', { secure, maxAgeMs: SESSION_COOKIE_MS }),
    deviceCookie: createCookie('mediagate-console-device', { secure, maxAgeMs: DEVICE_COOKIE_MS }),
    devices: createKnownDevices(config.CONSOLE_SECRET),
  };
}

function openOidc(
  { database, sealer, renewCredential }: Awaited<ReturnType<typeof openUsers>>,
  config: ConsoleOptions['config'],
): AppDeps['oidc'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  const roles = parseRoleMap(config.OIDC_ROLES);
  const options = {
    issuer,
    clientId,
    clientSecret,
    scopes: config.OIDC_SCOPES,
    roleClaim: config.OIDC_ROLE_CLAIM,
    roles,
    trustsEmail: config.OIDC_TRUST_EMAIL,
  };
  const secure = config.CONSOLE_PUBLIC_URL?.startsWith('https:') ?? false;
  return {
    provider: createProvider(options),
    attemptCookie: createCookie('mediagate-console-oidc', { secure, maxAgeMs: ATTEMPT_COOKIE_MS, sameSite: 'lax' }),
    provenCookie: createProvenCookie(
      createCookie('mediagate-console-proven', { secure, maxAgeMs: PROVEN_LIFE_MS }),
      sealer,
    ),
    listPlaces: (proven, account) => listPlaces(database, proven, account),
    async signInIdentified(proven, { formerToken, ...choice }) {
      const found = await findIdentified(database, proven, choice);
      if ('fault' in found) return found;
      const opened = await signInAs(database, { userId: found.userId, formerToken });
      if (opened) await renewCredential(opened.token);
      return opened ?? { fault: 'not_invited' };
    },
  };
}

function openGateway(scope: Scope, config: ConsoleOptions['config']): AppDeps['gateway'] {
  const { logger } = scope;
  const open = (kind: 'account' | 'operator', url: string, path: string, more: { bySignature?: true } = {}) => {
    const proxy = createGatewayProxy({ kind, logger, target: `${url.replace(/\/+$/, '')}${path}`, ...more });
    scope.defer(`gateway at ${path}`, async () => proxy.close());
    return proxy.handle;
  };
  return {
    account: open('account', config.GATEWAY_URL, '/v1'),
    catalogue: open('account', config.GATEWAY_URL, '/models'),
    openai: open('account', config.GATEWAY_URL, '/openai/v1'),
    files: open('operator', config.GATEWAY_URL, '/v1/files', { bySignature: true }),
    operator: open('operator', config.ADMIN_GATEWAY_URL ?? config.GATEWAY_URL, '/admin/v1'),
  };
}
