import type { Owner } from '@mediagate/contracts';

/** A key whose holders hold `limit` together at most. */
export interface LimitedKey {
  name: string;
  limit: number;
}

export interface Wish {
  owner: Owner;
  /** Each key has a share too: a host, for example. The same key twice counts once; a name alone has the limit `perKey`. */
  keys?: readonly (string | LimitedKey)[];
  /** So many slots or bytes are taken: 1 at least. Default 1. */
  amount?: number;
}

export interface SlotLimits {
  /** All slots, or bytes. */
  capacity: number;
  /** One owner holds no more, even while nobody waits: nothing is taken back for the next owner who comes. Default: half. */
  perOwner?: number;
  /** Holders that name the same key hold no more together. Default: as `perOwner`. */
  perKey?: number;
  /** The test work of all owners holds no more together; the rest is kept for paid work. Default: a quarter, 1 at least. */
  forTests?: number;
  /** Wishes that wait at once; one more is refused. Default 10,000. */
  maxWaiting?: number;
  /** Wishes of one owner that wait at once. Default: a quarter of `maxWaiting`. */
  maxWaitingPerOwner?: number;
}

export interface Held {
  /** All that was taken: less than was wished for where there never is as much. */
  readonly amount: number;
  /** Gives back what is beyond `amount`; never takes more. */
  shrinkTo(amount: number): void;
  /** Gives all of it back; again is nothing. */
  release(): void;
}
