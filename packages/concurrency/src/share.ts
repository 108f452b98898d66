import { GatewayError, message, type Owner } from '@mediagate/contracts';
import { OpenItems, type Place } from './open-items';

/** An owner, a key or the test work holds so much together. It is forgotten once it holds nothing and nobody waits for it. */
export interface Share {
  name: string;
  limit: number;
  held: number;
  waiting: number;
  /** This share keeps these waiters from their turn. The one that came first stands first. */
  keptBack: OpenItems<Waiter>;
}

/** An owner's share, and its waiters that no share keeps back. */
export interface Line extends Share {
  next: OpenItems<Waiter>;
  turn: Place<Line> | undefined;
}

export interface Claim {
  amount: number;
  turns: OpenItems<Line>;
  line: Line;
  /** The claim counts against each of these; its line is one of them. */
  shares: readonly Share[];
}

export interface Waiter extends Claim {
  admit(): void;
  standsIn: OpenItems<Waiter>;
  place: Place<Waiter>;
}

export const NOWHERE = new OpenItems<Waiter>();
export const NO_PLACE: Place<Waiter> = { item: undefined, before: undefined, after: undefined };

export function newShare(name: string, limit: number): Share {
  return { name, limit, held: 0, waiting: 0, keptBack: new OpenItems<Waiter>() };
}

export function fits({ held, limit }: Share, amount: number): boolean {
  return held === 0 || held + amount <= limit;
}

export function stand(waiter: Waiter, where: OpenItems<Waiter>, at: 'first' | 'last' = 'last'): void {
  waiter.standsIn = where;
  waiter.place = at === 'first' ? where.addFirst(waiter) : where.add(waiter);
}

export function tooManyOfOwner(): GatewayError {
  return new GatewayError('rate_limited', message('too_many_open_requests_of_account'), { retryAfterSeconds: 1 });
}

export function tooMany(): GatewayError {
  const options = { retryAfterSeconds: 2, internal: 'the line for slots is full' };
  return new GatewayError('unavailable', message('too_many_large_requests'), options);
}

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
