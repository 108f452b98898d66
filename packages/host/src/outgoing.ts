import { setDefaultResultOrder } from 'node:dns';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { ConfigError } from './config';

/** Time for one address of a name: a lost packet is repeated after 1 s. Node’s own 250 ms are too short for a host that is far away; a connection to the storage may take 3 s, others 10 s. */
const ADDRESS_MS = 2_000;

/**
 * How every connection of this process is opened, whichever library opens it: addresses of IPv4 first, since a host without IPv6 can still
 * find such addresses, then the others in turn.
 */
export function useEachAddress(): void {
  setDefaultResultOrder('ipv4first');
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_MS);
}

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names a proxy. */
export function namedProxy(env: Environment): string | undefined {
  return PROXIES.find((name) => env[name] || env[name.toLowerCase()]);
}

/**
 * Services use no proxy: they judge the address that a connection leads to, which a proxy would hide.
 *
 * @throws ConfigError where the environment names one, because every call would silently pass it by.
 */
export function refuseProxies(env: Environment): void {
  const named = namedProxy(env);
  if (named === undefined) return;
  throw new ConfigError([
    `${named} is set, but services connect directly, to vendors, storage, receivers of callbacks and the issuer of sign-ins alike: unset it, or set CONNECT_DIRECTLY=1 if that is meant`,
  ]);
}
