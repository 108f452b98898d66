import { GatewayError, message } from '@mediagate/contracts';
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
