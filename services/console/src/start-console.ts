import { join } from 'node:path';
import { withFormer } from '@mediagate/contracts';
import { openOwnDatabase } from '@mediagate/database';
import { type Config, type Scope, visibleSettings } from '@mediagate/host';
import { createSealer, type Identity } from '@mediagate/identity';
import { openQueueViews } from '@mediagate/queue';
import { createApp } from './app';
import { checkSettings, consoleSettings } from './config';
import type { Console } from './console';
import { createGatewayProxy } from './gateway/gateway-proxy';
import { probeProcesses } from './health/probe-process';
import { createProvenCookie, PROVEN_LIFE_MS } from './oidc/proven-cookie';
import { createProvider } from './oidc/provider';
import { parseRoleMap } from './oidc/role-map';
import { listen } from './server';
import { createCookie } from './session/cookie';
import { createKnownDevices } from './session/known-devices';
import { createSignInLimit, type SignInLimitOptions } from './session/sign-in-limit';

export interface ConsoleOptions {
  config: Config<typeof consoleSettings>;
  /** How often somebody may try to sign in; each pace has its default where it applies. */
  limit?: SignInLimitOptions;
  pageDirectory?: string;
}

const STATEMENT_TIMEOUT_MS = 10_000;
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
  const identity = await openIdentity(scope, config);
  const app = createApp({
    ...identity,
    ...openCookies(config),
    oidc: openOidc(identity, config),
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

/** Users and their sessions, in the database. */
async function openIdentity(scope: Scope, config: ConsoleOptions['config']): Promise<Identity> {
  const { CONSOLE_SECRET: secret, CONSOLE_PREVIOUS_SECRET: former, DATABASE_POOL_SIZE: poolSize } = config;
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const database = await openOwnDatabase(scope, { service: 'console', config, poolSize, statementTimeoutMs });
  const sealer = createSealer(withFormer('CONSOLE_SECRET', secret, former));
  return { database, sealer, pepper: config.MEDIAGATE_KEY_PEPPER };
}

function openCookies(config: ConsoleOptions['config']): Pick<Console, 'cookie' | 'deviceCookie' | 'devices'> {
  const secure = config.CONSOLE_PUBLIC_URL?.startsWith('https:') ?? false;
  return {
    cookie: createCookie('mediagate-console', { secure, maxAgeMs: SESSION_COOKIE_MS }),
    deviceCookie: createCookie('mediagate-console-device', { secure, maxAgeMs: DEVICE_COOKIE_MS }),
    devices: createKnownDevices(config.CONSOLE_SECRET),
  };
}

function openOidc({ sealer }: Identity, config: ConsoleOptions['config']): Console['oidc'] {
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
  };
}

function openGateway(scope: Scope, config: ConsoleOptions['config']): Console['gateway'] {
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
