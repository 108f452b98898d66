import { databaseSettings } from '@mediagate/database';
import { ConfigError, connectionSettings } from '@mediagate/host';
import { SEALING_SECRET_MIN_CHARACTERS } from '@mediagate/identity';
import { queueSettings } from '@mediagate/queue';
import { type ProcessAddress, parseProcessAddresses } from './health/process-addresses';
import { parseRoleMap } from './oidc/role-map';

/** Settings of the console, beside those of every service. */
export const consoleSettings = {
  CONSOLE_PORT: { type: 'port', default: 8081, about: 'port of the console' },
  HOST: {
    type: 'string',
    default: '127.0.0.1',
    about: 'address the console listens on; :: for all, of IPv6 and of IPv4',
  },
  ...connectionSettings,
  CONSOLE_PUBLIC_URL: {
    type: 'http',
    default: null,
    about: 'where browsers reach the console; https makes its cookie secure; absent: plain http, on loopback alone',
  },
  CONSOLE_TRUSTED_PROXIES: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 5,
    about: 'proxies in front of the console whose X-Forwarded-For counts when sign-ins are limited by address',
  },
  CONSOLE_SECRET: {
    type: 'string',
    secret: true,
    about: 'seals tokens, keys and second factors of users: 32 random characters at least, the same for every console',
  },
  CONSOLE_PREVIOUS_SECRET: {
    type: 'string',
    default: null,
    secret: true,
    about: 'the CONSOLE_SECRET before this one, under which older rows are still opened',
  },
  CONSOLE_HEALTH_URLS: {
    type: 'list',
    default: [],
    about: 'processes that operators see: name=http://host:port, comma separated, with the health port of each',
  },
  CONSOLE_MEDIA_ORIGINS: {
    type: 'origins',
    default: [],
    about: 'further origins that results come from, as https://bucket.example, for the page’s content policy',
  },
  OIDC_ISSUER: {
    type: 'http',
    default: null,
    about: 'who signs users in elsewhere (OpenID Connect), as https://login.example; absent: nobody',
  },
  OIDC_CLIENT_ID: { type: 'string', default: null, about: 'the console’s id at OIDC_ISSUER' },
  OIDC_CLIENT_SECRET: { type: 'string', default: null, secret: true, about: 'its secret there' },
  OIDC_SCOPES: { type: 'string', default: 'openid email profile', about: 'what is asked of the issuer' },
  OIDC_ROLE_CLAIM: {
    type: 'string',
    default: null,
    about: 'claim that OIDC_ROLES maps, as groups or realm_access.roles; absent: users are invited by e-mail address',
  },
  OIDC_ROLES: {
    type: 'list',
    default: [],
    about: 'value=operator:role or value=account:id:role, comma separated; the first that fits counts',
  },
  OIDC_TRUST_EMAIL: {
    type: 'boolean',
    default: false,
    about:
      '1 trusts every address of the issuer, where it sends no email_verified and nobody chooses their own address',
  },
  GATEWAY_URL: {
    type: 'http',
    default: 'http://127.0.0.1:8080',
    about: 'where the console reaches the API',
  },
  ADMIN_GATEWAY_URL: {
    type: 'http',
    default: null,
    about: 'where the console reaches the operators’ API, if that has a port of its own (ADMIN_PORT)',
  },
  PUBLIC_BASE_URL: { type: 'http', default: null, about: 'where callers reach the API; absent: GATEWAY_URL' },
  ...databaseSettings,
  DATABASE_POOL_SIZE: { type: 'integer', default: 5, min: 1, max: 200, about: 'connections to PostgreSQL at most' },
  MEDIAGATE_KEY_PEPPER: { type: 'string', secret: true, about: 'key of the hash under which API keys are stored' },
  ...queueSettings,
} as const;

/** @throws ConfigError naming what the declarations above cannot say. */
export function checkSettings(config: {
  CONSOLE_SECRET: string;
  CONSOLE_PUBLIC_URL: string | undefined;
  CONSOLE_HEALTH_URLS: readonly string[];
  OIDC_ISSUER: string | undefined;
  OIDC_CLIENT_ID: string | undefined;
  OIDC_CLIENT_SECRET: string | undefined;
  OIDC_ROLES: readonly string[];
  OIDC_TRUST_EMAIL: boolean;
}): ProcessAddress[] {
  const faults: string[] = [];
  if (config.CONSOLE_SECRET.length < SEALING_SECRET_MIN_CHARACTERS) {
    faults.push(`CONSOLE_SECRET is shorter than ${SEALING_SECRET_MIN_CHARACTERS} characters`);
  }
  // Its page asks for `/assets`, `/session` and `/api` at the root of its host, and its cookies are bound to that.
  if (config.CONSOLE_PUBLIC_URL !== undefined && new URL(config.CONSOLE_PUBLIC_URL).pathname !== '/') {
    faults.push(
      'CONSOLE_PUBLIC_URL has a path: serve the console under a host name of its own, as https://console.example',
    );
  }
  faults.push(...oidcFaults(config));
  const addresses = parseProcessAddresses(config.CONSOLE_HEALTH_URLS);
  faults.push(...addresses.faults.map((fault) => `CONSOLE_HEALTH_URLS: ${fault}`));
  if (faults.length > 0) throw new ConfigError(faults);
  return addresses.found;
}

/** Issuers behind which anybody can open a tenant and write any address into it. */
const ANY_TENANT = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)(?:\/|$)/i;

function oidcFaults(config: Parameters<typeof checkSettings>[0]): string[] {
  const isWhole = config.OIDC_CLIENT_ID !== undefined && config.OIDC_CLIENT_SECRET !== undefined;
  const missing = 'OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET';
  const faults = config.OIDC_ISSUER !== undefined && !isWhole ? [missing] : [];
  if (config.OIDC_TRUST_EMAIL && ANY_TENANT.test(config.OIDC_ISSUER ?? '')) {
    faults.push('OIDC_TRUST_EMAIL would trust every tenant: name yours in OIDC_ISSUER');
  }
  try {
    parseRoleMap(config.OIDC_ROLES);
  } catch (error) {
    faults.push(`OIDC_ROLES: ${(error as Error).message}`);
  }
  return faults;
}
