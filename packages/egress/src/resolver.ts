import { lookup, Resolver } from 'node:dns/promises';
import { untilAborted } from '@mediagate/concurrency';
import { message } from '@mediagate/contracts';
import { startDeadline } from './deadline';
import { EgressError } from './egress-error';
import { notPublic, type Target, type UrlPolicy } from './url-policy';

/** Every address of a name. Rejects, or answers with none, when it has none. */
export type Resolve = (hostname: string, options: { trusted: boolean; signal: AbortSignal }) => Promise<string[]>;

const RESOLVE_TIMEOUT_MS = 3_000;

/**
 * The addresses a connection may go to, found once: whoever answers differently the next time is not asked again. One
 * address that is not public condemns the name, for no honest name has both kinds.
 */
export async function findAddresses(
  target: Target,
  policy: UrlPolicy,
  { resolve, signal }: { resolve: Resolve; signal: AbortSignal },
): Promise<string[]> {
  const addresses = target.literalAddresses ?? (await resolveWithin(target, resolve, signal));
  if (!addresses.every((address) => policy.permits(address, target))) throw notPublic();
  return addresses;
}

/**
 * Names that strangers chose go straight to DNS, over sockets of their own: the system's resolver runs on the process's
 * few file threads, and would let a slow name server hold those, or a hosts file answer. Names of exempt origins are the
 * operator's, who may well mean a hosts file or a search domain. `servers` (`192.0.2.53:5353`) replaces the system's list.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (hostname, { trusted, signal }) => {
    if (trusted) return (await lookup(hostname, { all: true })).map(({ address }) => address);
    const resolver = new Resolver({ timeout: 1_000, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    return queryDns(resolver, hostname, signal);
  };
}

async function resolveWithin(target: Target, resolve: Resolve, outer: AbortSignal): Promise<string[]> {
  const deadline = startDeadline(RESOLVE_TIMEOUT_MS, () => unresolved(), outer);
  try {
    const lookups = resolve(target.hostname, { trusted: target.exempt, signal: deadline.signal });
    const addresses = await untilAborted(lookups, deadline.signal);
    if (addresses.length === 0) throw unresolved();
    return addresses;
  } catch (error) {
    throw error instanceof EgressError ? error : unresolved(error);
  } finally {
    deadline.clear();
  }
}

async function queryDns(resolver: Resolver, hostname: string, signal: AbortSignal): Promise<string[]> {
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (addresses.length === 0 && failed !== undefined) throw failed.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function unresolved(cause?: unknown): EgressError {
  return new EgressError('network', message('host_unresolved'), { cause });
}
