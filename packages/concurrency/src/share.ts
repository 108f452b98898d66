import { GatewayError, message } from '@mediagate/contracts';
import { OpenItems, type Place } from './open-items';

/** What an owner, a key or the test work holds together. Forgotten once it holds nothing and nobody waits. */
export interface Share {
  name: string;
  limit: number;
  held: number;
  waiting: number;
  /** Those that this share keeps from their turn, the first one first. */
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
  /** All that it counts for, the line included. */
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
