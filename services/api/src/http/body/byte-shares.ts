import { Pace } from '@mediagate/concurrency';
import { GatewayError, message } from '@mediagate/contracts';
import { NO_ACCOUNT } from '../../request-limits';

export interface Owner {
  /** The key's id. */
  id: string;
  accountId: string;
}

export interface ByteLimits {
  /** Names what is full, for the log. Default: the memory for bodies. */
  of?: string;
  /** Limit for all requests together. */
  maxBytes: number;
  /** Bodies that are being read at once. */
  accountMaxOpen: number;
  keyMaxOpen: number;
  /** All bodies of an account together are read no faster. */
  accountBytesPerSecond: number;
}

/** A key may hold this share of what its account may hold alone, so that the account's other keys go on. */
const KEY_SHARE = 5 / 6;

interface Share {
  bytes: number;
  open: number;
}

/** Shares of one owner. */
interface Shares {
  account: Share;
  key: Share;
}

/**
 * Bounds how many bytes one process holds at once, and how fast it reads bodies. One instance counts bodies and whole answers in memory,
 * another callers' files on disk. An account may hold as much as is free beside it. So one alone may have half of it, two a third each, and
 * however many crowd in, there is as much left for the next one.
 */
export class ByteShares {
  readonly #limits: ByteLimits;
  readonly #accounts = new Map<string, Share>();
  readonly #keys = new Map<string, Share>();
  readonly #read: Pace;
  #heldBytes = 0;

  constructor(limits: ByteLimits, now?: () => number) {
    this.#limits = limits;
    this.#read = new Pace({ perSecond: limits.accountBytesPerSecond, burst: 0 }, now);
  }

  /** One request's part. */
  lease(): ByteLease {
    return new ByteLease(this);
  }

  /** Only owners who hold something have an entry. */
  enter(owner: Owner): Shares {
    return { account: shareOf(this.#accounts, owner.accountId), key: shareOf(this.#keys, owner.id) };
  }

  leave(owner: Owner): void {
    dropEmpty(this.#accounts, owner.accountId);
    dropEmpty(this.#keys, owner.id);
  }

  /** Undefined: a body may be read; else why not. */
  openingRefused(shares: Shares | undefined): GatewayError | undefined {
    if ((shares?.account.open ?? 0) >= this.#limits.accountMaxOpen) return tooManyOpen('account');
    return (shares?.key.open ?? 0) >= this.#limits.keyMaxOpen ? tooManyOpen('key') : undefined;
  }

  /** Undefined: the bytes may be held; else why not. */
  bytesRefused(bytes: number, shares: Shares | undefined): GatewayError | undefined {
    const { maxBytes } = this.#limits;
    const free = maxBytes - this.#heldBytes;
    if (bytes > free) return memorySpent(this.#limits.of);
    if ((shares?.account.bytes ?? 0) + bytes > free) return shareSpent('account');
    return (shares?.key.bytes ?? 0) + bytes > (maxBytes / 2) * KEY_SHARE ? shareSpent('key') : undefined;
  }

  count(bytes: number, open: number, shares: Shares | undefined): void {
    this.#heldBytes += bytes;
    if (shares === undefined) return;
    for (const share of [shares.account, shares.key]) {
      share.bytes += bytes;
      share.open += open;
    }
  }

  /** How long an account that has read these bytes pauses, in milliseconds. */
  pauseAfter(bytes: number, owner: Owner | undefined): number {
    return this.#read.count(owner?.accountId ?? NO_ACCOUNT, bytes);
  }
}

/** The bytes that one request holds. Those that arrive before the owner is known count for the process alone. */
export class ByteLease {
  readonly #all: ByteShares;
  #owner: Owner | undefined;
  #shares: Shares | undefined;
  #bytes = 0;
  #isOpen = false;

  constructor(all: ByteShares) {
    this.#all = all;
  }

  /** Counts the lease towards the shares of the key and its account from here on. */
  own(caller: Owner): void {
    this.#owner = caller;
  }

  /** A body is being read. Undefined: it may be; else why not, and then the request must be given up. */
  open(): GatewayError | undefined {
    this.#enter();
    const refused = this.#all.openingRefused(this.#shares);
    this.#isOpen = refused === undefined;
    if (this.#isOpen) this.#count(0, 1);
    else this.#leave();
    return refused;
  }

  /** It has been read, whatever is still held of it. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#count(0, -1);
    this.#leave();
  }

  /** Undefined: the bytes may be held; else why not, and then the request must be given up. */
  take(bytes: number): GatewayError | undefined {
    this.#enter();
    const refused = this.#all.bytesRefused(bytes, this.#shares);
    if (refused === undefined) this.#count(bytes, 0);
    else this.#leave();
    return refused;
  }

  /** Counts what was read of the body: how long to pause before more of it is read, in milliseconds. */
  pauseAfter(bytes: number): number {
    return this.#all.pauseAfter(bytes, this.#owner);
  }

  release(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#count(-this.#bytes, wasOpen ? -1 : 0);
    this.#leave();
  }

  #enter(): void {
    if (this.#owner !== undefined) this.#shares ??= this.#all.enter(this.#owner);
  }

  #count(bytes: number, open: number): void {
    this.#bytes += bytes;
    this.#all.count(bytes, open, this.#shares);
  }

  #leave(): void {
    if (this.#owner === undefined || this.#bytes > 0 || this.#isOpen) return;
    this.#all.leave(this.#owner);
    this.#shares = undefined;
  }
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

export function memorySpent(of = 'the memory for bodies'): GatewayError {
  return new GatewayError('unavailable', message('too_many_large_requests'), {
    retryAfterSeconds: 2,
    internal: `${of} is full`,
  });
}

function shareSpent(whose: 'account' | 'key'): GatewayError {
  return new GatewayError('rate_limited', message(`too_many_large_requests_of_${whose}`), { retryAfterSeconds: 2 });
}

function tooManyOpen(whose: 'account' | 'key'): GatewayError {
  return new GatewayError('rate_limited', message(`too_many_open_requests_of_${whose}`), { retryAfterSeconds: 1 });
}
