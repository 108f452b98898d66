import { ConfigError } from '@mediagate/host';
import { type ProcessAddress, parseProcessAddresses } from './health/process-addresses';

/** Settings of the console, beside those of every service. */
export const consoleSettings = {
  CONSOLE_PORT: { type: 'port', default: 8081, about: 'port of the console' },
  HOST: { type: 'string', default: '127.0.0.1', about: 'address the console listens on; 0.0.0.0 for all' },
  CONSOLE_PUBLIC_URL: {
    type: 'url',
    default: null,
    about: 'where browsers reach the console; https makes its cookie secure; absent: plain http, on loopback alone',
  },
  CONSOLE_TRUSTED_PROXIES: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 5,
    about: 'proxies in front of the console whose X-Forwarded-For counts when logins are limited by address',
  },
  CONSOLE_USER: { type: 'string', default: 'operator', about: 'name of the one user of the console' },
  CONSOLE_PASSWORD: { type: 'string', secret: true, about: 'password of the console, 12 characters at least' },
  CONSOLE_HEALTH_URLS: {
    type: 'list',
    default: [],
    about: 'processes on the health page: name=http://host:port, comma separated, with the health port of each',
  },
  REDIS_URL: { type: 'url', secret: true, about: 'Redis, for the queues' },
  REDIS_PREFIX: { type: 'string', default: 'mediagate', about: 'separates deployments that share a Redis' },
} as const;

const PASSWORD_MIN_CHARACTERS = 12;

/** @throws ConfigError naming what the declarations above cannot say. */
export function checkSettings(config: {
  CONSOLE_PASSWORD: string;
  CONSOLE_HEALTH_URLS: readonly string[];
}): ProcessAddress[] {
  const faults: string[] = [];
  if (config.CONSOLE_PASSWORD.length < PASSWORD_MIN_CHARACTERS) {
    faults.push(`CONSOLE_PASSWORD is shorter than ${PASSWORD_MIN_CHARACTERS} characters`);
  }
  const addresses = parseProcessAddresses(config.CONSOLE_HEALTH_URLS);
  faults.push(...addresses.faults.map((fault) => `CONSOLE_HEALTH_URLS: ${fault}`));
  if (faults.length > 0) throw new ConfigError(faults);
  return addresses.found;
}
