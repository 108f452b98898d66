import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pace, type PaceOptions } from './pace';

/** Who tries to log in. */
export interface Origin {
  address: string;
  /** The browser that logged in before and can prove it; undefined for a stranger. */
  device: string | undefined;
}

/**
 * Slows guessing down, and never stops who is right: a browser that logged in before goes by a pace of its own, which strangers
 * cannot use up. Strangers go by the pace of their address, and all of them together by one that bounds the work of looking at
 * passwords.
 */
export interface LoginLimit {
  /** Resolves when the attempt may be made, or says in how many seconds to try again. */
  take(origin: Origin): Promise<{ retryAfterSeconds: number } | undefined>;
  /** Forgets the attempts of who knew the password. */
  succeeded(origin: Origin): void;
}

export interface LoginLimitOptions {
  device?: PaceOptions;
  address?: PaceOptions;
  strangers?: PaceOptions;
  wait?(ms: number): Promise<void>;
}

const DEVICE: PaceOptions = { burst: 10, everyMs: 60_000, maxWaitMs: 0 };
const ADDRESS: PaceOptions = { burst: 5, everyMs: 5_000, maxWaitMs: 20_000 };
const STRANGERS: PaceOptions = { burst: 50, everyMs: 100, maxWaitMs: 10_000 };

/** Attempts are counted before the password is looked at, so that many at once gain nothing. */
export function createLoginLimit(options: LoginLimitOptions = {}): LoginLimit {
  const { wait = (ms) => delay(ms) } = options;
  const devices = new Pace(options.device ?? DEVICE);
  const addresses = new Pace(options.address ?? ADDRESS);
  const strangers = new Pace(options.strangers ?? STRANGERS);

  async function pass(pace: Pace, key: string): Promise<{ retryAfterSeconds: number } | undefined> {
    const taken = pace.take(key);
    if ('refusedForMs' in taken) return { retryAfterSeconds: Math.max(1, Math.ceil(taken.refusedForMs / 1000)) };
    if (taken.waitMs > 0) await wait(taken.waitMs);
    return undefined;
  }

  return {
    async take({ address, device }) {
      if (device !== undefined && (await pass(devices, device)) === undefined) return undefined;
      return (await pass(addresses, networkOf(address))) ?? (await pass(strangers, 'all'));
    },
    succeeded({ address, device }) {
      addresses.forget(networkOf(address));
      if (device !== undefined) devices.forget(device);
    },
  };
}

/** Whoever has one IPv6 address has the 2^64 beside it. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const before = head.split(':').filter((part) => part !== '');
  const after = tail.split(':').filter((part) => part !== '');
  const gap = address.includes('::') ? Array<string>(8 - before.length - after.length).fill('0') : [];
  return [...before, ...gap, ...after].slice(0, 4).join(':');
}
