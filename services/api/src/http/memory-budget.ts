import { GatewayError, message } from '@mediagate/contracts';
import { NOBODY, PaceClocks } from './pace-clocks';

/**
 * Bytes of request bodies, and of answers that are sent whole, that one process holds in memory at once, and how fast it reads
 * bodies: what an account may have of both.
 */
export interface MemoryBudget {
  lease(): MemoryLease;
}

/** One request's part of the budget. */
export interface MemoryLease {
  /** From here on it counts towards the shares of the key and its account. */
  own(caller: Owner): void;
  /** A body is being read. Undefined: it may be; else why not, and then the request must be given up. */
  open(): GatewayError | undefined;
  /** It has been read, whatever is still held of it. */
  close(): void;
  /** Undefined: the bytes may be held; else why not, and then the request must be given up. */
  take(bytes: number): GatewayError | undefined;
  /** Counts what was read of the body: how long to pause before more of it is read, in milliseconds. */
  pauseAfter(bytes: number): number;
  release(): void;
}

export interface Owner {
  /** Of the key. */
  id: string;
  accountId: string;
}

export interface MemoryLimits {
  /** Of all requests together, in bytes. */
  maxBytes: number;
  /** Bodies that are being read at once. */
  accountMaxOpen: number;
  keyMaxOpen: number;
  /** All bodies of an account together are read no faster. */
  accountBytesPerSecond: number;
}

/** Of what an account may hold alone a key may hold so much, so that the account's other keys go on. */
const KEY_SHARE = 5 / 6;

interface Share {
  bytes: number;
  open: number;
}

/**
 * Shares the budget out: an account may hold as much as is free beside it. So one alone may have half of it, two a third each,
 * and however many crowd in, there is as much left for the next one.
 */
export function createMemoryBudget(limits: MemoryLimits, now?: () => number): MemoryBudget {
  const { maxBytes, accountMaxOpen, keyMaxOpen, accountBytesPerSecond } = limits;
  const keyMaxBytes = (maxBytes / 2) * KEY_SHARE;
  const accounts = new Map<string, Share>();
  const keys = new Map<string, Share>();
  let taken = 0;
  const read = new PaceClocks(now);

  function refusal(bytes: number, account: Share | undefined, key: Share | undefined): GatewayError | undefined {
    const free = maxBytes - taken;
    if (bytes > free) return memorySpent();
    if ((account?.bytes ?? 0) + bytes > free) return shareSpent('account');
    return (key?.bytes ?? 0) + bytes > keyMaxBytes ? shareSpent('key') : undefined;
  }

  function tooManyOpenOf(account: Share | undefined, key: Share | undefined): 'account' | 'key' | undefined {
    if ((account?.open ?? 0) >= accountMaxOpen) return 'account';
    return (key?.open ?? 0) >= keyMaxOpen ? 'key' : undefined;
  }

  return {
    lease() {
      let owner: Owner | undefined;
      let account: Share | undefined;
      let key: Share | undefined;
      let mine = 0;
      let opened = false;

      /** Only those who hold something have an entry. */
      function enter(): void {
        if (owner === undefined || account !== undefined) return;
        account = shareOf(accounts, owner.accountId);
        key = shareOf(keys, owner.id);
      }
      function count(bytes: number, open: number): void {
        taken += bytes;
        mine += bytes;
        for (const share of [account, key]) {
          if (share === undefined) continue;
          share.bytes += bytes;
          share.open += open;
        }
      }
      function leave(): void {
        if (owner === undefined || mine > 0 || opened) return;
        dropEmpty(accounts, owner.accountId);
        dropEmpty(keys, owner.id);
        account = undefined;
        key = undefined;
      }
      return {
        own(caller) {
          owner = caller;
        },
        open() {
          enter();
          const whose = tooManyOpenOf(account, key);
          opened = whose === undefined;
          if (opened) count(0, 1);
          else leave();
          return whose === undefined ? undefined : tooManyOpen(whose);
        },
        close() {
          if (!opened) return;
          opened = false;
          count(0, -1);
          leave();
        },
        take(bytes) {
          enter();
          const refused = refusal(bytes, account, key);
          if (refused === undefined) count(bytes, 0);
          else leave();
          return refused;
        },
        pauseAfter: (bytes) => read.add(owner?.accountId ?? NOBODY, (bytes * 1000) / accountBytesPerSecond),
        release() {
          const wasOpen = opened;
          opened = false;
          count(-mine, wasOpen ? -1 : 0);
          leave();
        },
      };
    },
  };
}

function shareOf(shares: Map<string, Share>, id: string): Share {
  const known = shares.get(id);
  if (known) return known;
  const share = { bytes: 0, open: 0 };
  shares.set(id, share);
  return share;
}

function dropEmpty(shares: Map<string, Share>, id: string): void {
  const share = shares.get(id);
  if (share?.bytes === 0 && share.open === 0) shares.delete(id);
}

export function memorySpent(): GatewayError {
  return new GatewayError('unavailable', message('too_many_large_requests'), {
    retryAfterSeconds: 2,
    internal: 'the memory budget is spent',
  });
}

function shareSpent(whose: 'account' | 'key'): GatewayError {
  return new GatewayError('rate_limited', message(`too_many_large_requests_of_${whose}`), { retryAfterSeconds: 2 });
}

function tooManyOpen(whose: 'account' | 'key'): GatewayError {
  return new GatewayError('rate_limited', message(`too_many_open_requests_of_${whose}`), { retryAfterSeconds: 1 });
}
