import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pace, type PaceOptions } from './pace';

/** Who tries to sign in. */
export interface Origin {
  address: string;
  /** The e-mail address that was typed; undefined: none, a link was followed. */
  user: string | undefined;
  /** The browser in which that user has signed in before and that can prove it; undefined for a stranger. */
  device: string | undefined;
}

/**
 * Slows guessing down, and never stops who is right: a browser in which the user has signed in before goes by a pace of its own,
 * which strangers cannot use up. Strangers go by the pace of their address, by that of the user they try, wherever they come from,
 * and all of them together by one that bounds the work of looking at passwords.
 */
export interface SignInLimit {
  /** Resolves when the attempt may be made, or says in how many seconds to try again. */
  take(origin: Origin): Promise<Attempt | { retryAfterSeconds: number }>;
}

export interface Attempt {
  /** It was no guess, so it does not count. Those before it still do: who has one user of their own may be guessing another's. */
  succeeded(): void;
}

interface Counted {
  pace: Pace;
  key: string;
}

export interface SignInLimitOptions {
  device?: PaceOptions;
  address?: PaceOptions;
  user?: PaceOptions;
  strangers?: PaceOptions;
  wait?(ms: number): Promise<void>;
}

const DEVICE: PaceOptions = { burst: 10, everyMs: 60_000, maxWaitMs: 0 };
const ADDRESS: PaceOptions = { burst: 5, everyMs: 5_000, maxWaitMs: 20_000 };
const USER: PaceOptions = { burst: 10, everyMs: 20_000, maxWaitMs: 0 };
const STRANGERS: PaceOptions = { burst: 50, everyMs: 100, maxWaitMs: 10_000 };

/** Attempts are counted before the password is looked at, so that many at once gain nothing. */
export function createSignInLimit(options: SignInLimitOptions = {}): SignInLimit {
  const { wait = (ms) => delay(ms) } = options;
  const devices = new Pace(options.device ?? DEVICE);
  const addresses = new Pace(options.address ?? ADDRESS);
  const users = new Pace(options.user ?? USER);
  const strangers = new Pace(options.strangers ?? STRANGERS);

  async function pass(counted: readonly Counted[]): ReturnType<SignInLimit['take']> {
    for (const { pace, key } of counted) {
      const taken = pace.take(key);
      if ('refusedForMs' in taken) return { retryAfterSeconds: Math.max(1, Math.ceil(taken.refusedForMs / 1000)) };
      if (taken.waitMs > 0) await wait(taken.waitMs);
    }
    // A password that was right was as much work to compare.
    const guesses = counted.filter(({ pace }) => pace !== strangers);
    return {
      succeeded() {
        for (const { pace, key } of guesses) pace.giveBack(key);
      },
    };
  }

  return {
    async take({ address, user, device }) {
      const known = device === undefined ? undefined : await pass([{ pace: devices, key: device }]);
      if (known && 'succeeded' in known) return known;
      return pass([
        { pace: addresses, key: networkOf(address) },
        ...(user === undefined ? [] : [{ pace: users, key: user }]),
        { pace: strangers, key: 'all' },
      ]);
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
