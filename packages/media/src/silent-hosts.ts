import { LRUCache } from 'lru-cache';

export interface SilentHosts {
  /** A request to the host timed out. */
  note(host: string | undefined): void;
  has(host: string): boolean;
}

const MAX_HOSTS = 10_000;
/** Longer than the pauses between the tries of a task. */
const REMEMBERED_MS = 5 * 60 * 1000;

/** Hosts that lately did not answer in time: they share few slots, so that the next wait for them delays nobody else. */
export function createSilentHosts(): SilentHosts {
  const hosts = new LRUCache<string, true>({ max: MAX_HOSTS, ttl: REMEMBERED_MS });
  return {
    note(host) {
      if (host !== undefined) hosts.set(host, true);
    },
    has: (host) => hosts.has(host),
  };
}
