import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Bounds guessing: from one address, and from all of them together. */
export interface LoginLimit {
  /** Counts an attempt. The seconds to wait when it may not be made. */
  take(address: string): Promise<{ retryAfterSeconds: number } | undefined>;
  /** Forgets the attempts of an address that knew the password. */
  succeeded(address: string): Promise<void>;
}

export interface LoginLimitOptions {
  perAddress?: number;
  inAll?: number;
  windowSeconds?: number;
}

const PER_ADDRESS = 5;
const IN_ALL = 200;
const WINDOW_SECONDS = 15 * 60;

/** Attempts are counted before the password is looked at, so that many at once gain nothing. */
export function createLoginLimit(options: LoginLimitOptions = {}): LoginLimit {
  const { perAddress = PER_ADDRESS, inAll = IN_ALL, windowSeconds = WINDOW_SECONDS } = options;
  const byAddress = new RateLimiterMemory({ keyPrefix: 'address', points: perAddress, duration: windowSeconds });
  const everywhere = new RateLimiterMemory({ keyPrefix: 'all', points: inAll, duration: windowSeconds });
  return {
    async take(address) {
      return (await spend(byAddress, networkOf(address))) ?? (await spend(everywhere, 'all'));
    },
    async succeeded(address) {
      await byAddress.delete(networkOf(address));
      await everywhere.reward('all', 1);
    },
  };
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<{ retryAfterSeconds: number } | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) };
  }
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
