import { GatewayError, message, type Owner } from '@mediagate/contracts';
import { OpenItems, type Place } from './open-items';

export interface Wish {
  owner: Owner;
  /** What else has a share: a host, for example. The same key twice counts once. */
  keys?: readonly string[];
  /** Of what is shared: bytes, for example. Default 1. */
  amount?: number;
}

export interface SlotLimits {
  /** Slots, or bytes. */
  capacity: number;
  /** One owner holds no more, even while nobody waits: nothing is taken back, so room for the next one is free before it comes. Default: half. */
  perOwner?: number;
  /** Holders that name the same key hold no more together. Default: as `perOwner`. */
  perKey?: number;
  /** The test work of all owners holds no more together; the rest is kept for paid work. Default: a quarter, 1 at least. */
  forTests?: number;
  /** Waiting at once; one more is refused. Default 10,000. */
  maxWaiting?: number;
  /** Waiting at once for one owner. Default: a quarter of `maxWaiting`. */
  maxWaitingPerOwner?: number;
}

export interface Held {
  /** Gives back what is beyond `amount`; never takes more. */
  shrinkTo(amount: number): void;
  /** Gives all of it back; again is nothing. */
  release(): void;
}

/** What an owner, a key or the test work holds together. Forgotten once it holds nothing and nobody waits. */
interface Share {
  name: string;
  limit: number;
  held: number;
  waiting: number;
  /** Those that this share keeps from their turn, the first one first. */
  keptBack: OpenItems<Waiter>;
}

/** An owner's share, and its waiters that no share keeps back. */
interface Line extends Share {
  next: OpenItems<Waiter>;
  turn: Place<Line> | undefined;
}

interface Claim {
  amount: number;
  turns: OpenItems<Line>;
  line: Line;
  /** All that it counts for, the line included. */
  shares: readonly Share[];
}

interface Waiter extends Claim {
  admit(): void;
  standsIn: OpenItems<Waiter>;
  place: Place<Waiter>;
}

const MAX_WAITING = 10_000;

/**
 * A limited number of slots, or of bytes, by owner. First come, first served within an owner; owners take turns; paid work goes before test
 * work. Whoever has its share waits, and others pass. Whoever holds nothing is kept out by no share, however much it needs. Each end costs
 * the same however many wait.
 */
export class Slots {
  readonly #limits: Required<SlotLimits>;
  readonly #shares = new Map<string, Share>();
  readonly #lines = new Map<string, Line>();
  readonly #live = new OpenItems<Line>();
  readonly #tests = new OpenItems<Line>();
  #free: number;
  #waiting = 0;

  constructor(limits: SlotLimits) {
    const { capacity, perOwner = Math.ceil(capacity / 2), maxWaiting = MAX_WAITING } = limits;
    const forTests = Math.max(1, Math.floor(capacity / 4));
    const maxWaitingPerOwner = Math.ceil(maxWaiting / 4);
    this.#limits = { perOwner, perKey: perOwner, forTests, maxWaiting, maxWaitingPerOwner, ...limits };
    this.#free = capacity;
  }

  get held(): number {
    return this.#limits.capacity - this.#free;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get areAllTaken(): boolean {
    return this.#free === 0;
  }

  /**
   * Waits for its turn.
   *
   * @throws the signal's reason once it aborts; GatewayError `rate_limited` (as many of the owner wait as may) and `unavailable` (of all);
   * RangeError for more than there ever is.
   */
  async take(wish: Wish, signal: AbortSignal): Promise<Held> {
    signal.throwIfAborted();
    const claim = this.#claim(wish);
    if (this.#mayTake(claim)) this.#hold(claim, claim.amount);
    else await this.#turn(claim, signal);
    return this.#heldBy(claim);
  }

  /** At once, or undefined: there is none for this owner now, or others wait. */
  tryTake(wish: Wish): Held | undefined {
    const claim = this.#claim(wish);
    if (this.#mayTake(claim)) this.#hold(claim, claim.amount);
    else {
      this.#forget(claim);
      return undefined;
    }
    return this.#heldBy(claim);
  }

  #claim({ owner: { accountId, isTest = false }, keys = [], amount = 1 }: Wish): Claim {
    const { capacity, perKey, forTests } = this.#limits;
    if (amount > capacity) throw new RangeError(`${amount} is more than ${capacity}`);
    const line = this.#lineOf(isTest ? `test ${accountId}` : `live ${accountId}`);
    const tests = isTest ? [this.#shareOf('tests', forTests)] : [];
    const ofKeys = [...new Set(keys)].map((key) => this.#shareOf(`key ${key}`, perKey));
    return { amount, line, shares: [line, ...tests, ...ofKeys], turns: isTest ? this.#tests : this.#live };
  }

  #lineOf(name: string): Line {
    const known = this.#lines.get(name);
    if (known) return known;
    const line = { ...newShare(name, this.#limits.perOwner), next: new OpenItems<Waiter>(), turn: undefined };
    this.#lines.set(name, line);
    return line;
  }

  #shareOf(name: string, limit: number): Share {
    const known = this.#shares.get(name);
    if (known) return known;
    const share = newShare(name, limit);
    this.#shares.set(name, share);
    return share;
  }

  /** Nobody is passed who has a turn and no share of whom keeps it back. */
  #mayTake({ amount, shares, turns }: Claim): boolean {
    if (amount > this.#free || this.#live.size > 0 || turns.size > 0) return false;
    return shares.every((share) => share.keptBack.size === 0 && hasRoom(share, amount));
  }

  #hold({ shares }: Claim, amount: number): void {
    this.#free -= amount;
    for (const share of shares) share.held += amount;
  }

  #heldBy(claim: Claim): Held {
    let left = claim.amount;
    const shrinkTo = (amount: number) => {
      const surplus = Math.max(0, left - amount);
      if (surplus === 0) return;
      left -= surplus;
      this.#hold(claim, -surplus);
      this.#continue(claim);
    };
    return { shrinkTo, release: () => shrinkTo(0) };
  }

  #turn(claim: Claim, signal: AbortSignal): Promise<void> {
    const { maxWaiting, maxWaitingPerOwner } = this.#limits;
    const refused =
      (claim.line.waiting >= maxWaitingPerOwner && tooManyOfOwner()) || (this.#waiting >= maxWaiting && tooMany());
    if (refused) {
      this.#forget(claim);
      return Promise.reject(refused);
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiter = this.#join({ ...claim, admit });
      const leave = () => {
        this.#leave(waiter);
        this.#continue(waiter);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #join(claim: Claim & Pick<Waiter, 'admit'>): Waiter {
    this.#waiting += 1;
    for (const share of claim.shares) share.waiting += 1;
    const full = claim.shares.find((share) => share.keptBack.size > 0 || !hasRoom(share, claim.amount));
    const waiter: Waiter = { ...claim, standsIn: NOWHERE, place: NO_PLACE };
    if (full) stand(waiter, full.keptBack);
    else this.#giveTurn(waiter);
    return waiter;
  }

  #leave(waiter: Waiter): void {
    this.#waiting -= 1;
    for (const share of waiter.shares) share.waiting -= 1;
    this.#step(waiter);
  }

  /** Out of where it stands; its line keeps a turn for as long as somebody has one. */
  #step({ standsIn, place, line, turns }: Waiter): void {
    standsIn.remove(place);
    if (standsIn !== line.next || line.turn === undefined) return;
    turns.remove(line.turn);
    line.turn = line.next.size > 0 ? turns.add(line) : undefined;
  }

  #giveTurn(waiter: Waiter): void {
    const { line, turns } = waiter;
    stand(waiter, line.next);
    line.turn ??= turns.add(line);
  }

  /** After something of these shares was given back, or one of their waiters is gone. */
  #continue(claim: Claim): void {
    this.#wake(claim.shares);
    this.#admit();
    this.#forget(claim);
  }

  /** Of each share the first that it keeps back and now has room for: its turn comes, unless another share keeps it back. */
  #wake(shares: readonly Share[]): void {
    for (const share of shares) {
      for (let first = share.keptBack.first; first !== undefined; first = share.keptBack.first) {
        const { amount } = first;
        if (!hasRoom(share, amount)) break;
        share.keptBack.remove(first.place);
        const full = first.shares.find((other) => !hasRoom(other, amount));
        if (full === undefined) {
          this.#giveTurn(first);
          break;
        }
        stand(first, full.keptBack);
      }
    }
  }

  #admit(): void {
    for (let waiter = this.#nextWaiter(); waiter !== undefined; waiter = this.#nextWaiter()) {
      const { amount, shares, admit } = waiter;
      const full = shares.find((share) => !hasRoom(share, amount));
      // The next one is not passed by whoever needs less.
      if (full === undefined && amount > this.#free) return;
      if (full === undefined) {
        this.#leave(waiter);
        this.#hold(waiter, amount);
        admit();
      } else {
        // Somebody else has taken the room of the share meanwhile.
        this.#step(waiter);
        stand(waiter, full.keptBack, 'first');
      }
      this.#wake(shares);
    }
  }

  #nextWaiter(): Waiter | undefined {
    return (this.#live.first ?? this.#tests.first)?.next.first;
  }

  #forget({ line, shares }: Claim): void {
    for (const { name, held, waiting } of shares) {
      if (held === 0 && waiting === 0) (name === line.name ? this.#lines : this.#shares).delete(name);
    }
  }
}

const NOWHERE = new OpenItems<Waiter>();
const NO_PLACE: Place<Waiter> = { item: undefined, before: undefined, after: undefined };

function newShare(name: string, limit: number): Share {
  return { name, limit, held: 0, waiting: 0, keptBack: new OpenItems<Waiter>() };
}

function hasRoom({ held, limit }: Share, amount: number): boolean {
  return held === 0 || held + amount <= limit;
}

function stand(waiter: Waiter, where: OpenItems<Waiter>, at: 'first' | 'last' = 'last'): void {
  waiter.standsIn = where;
  waiter.place = at === 'first' ? where.addFirst(waiter) : where.add(waiter);
}

function tooManyOfOwner(): GatewayError {
  return new GatewayError('rate_limited', message('too_many_open_requests_of_account'), { retryAfterSeconds: 1 });
}

function tooMany(): GatewayError {
  const options = { retryAfterSeconds: 2, internal: 'the line for slots is full' };
  return new GatewayError('unavailable', message('too_many_large_requests'), options);
}
