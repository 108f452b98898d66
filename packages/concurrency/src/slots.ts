import { OpenItems } from './open-items';
import {
  type Claim,
  fits,
  type Held,
  type LimitedKey,
  type Line,
  NO_PLACE,
  NOWHERE,
  newShare,
  type Share,
  type SlotLimits,
  stand,
  tooMany,
  tooManyOfOwner,
  type Waiter,
  type Wish,
} from './share';

const MAX_WAITING = 10_000;

/**
 * A limited number of slots, or of bytes, by owner. First come, first served within an owner; owners take turns; paid work goes before test
 * work. Whoever has its share waits, and others pass. Whoever holds nothing is kept out by no share, however much it needs, and a wish for
 * more than there ever is takes all. Each end costs the same however many wait.
 */
export class Slots {
  readonly #limits: Required<SlotLimits>;
  readonly #shares = new Map<string, Share>();
  readonly #lines = new Map<string, Line>();
  readonly #paid = new OpenItems<Line>();
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
   * Waits for its turn. A signal that thousands share costs each of them a comparison with all others.
   *
   * @throws the signal's reason once it aborts; GatewayError `rate_limited` (as many of the owner wait as may) and `unavailable` (of all);
   * RangeError for less than 1.
   */
  async take(wish: Wish, signal?: AbortSignal): Promise<Held> {
    signal?.throwIfAborted();
    const claim = this.#claim(wish);
    if (this.#mayTake(claim)) this.#hold(claim, claim.amount);
    else await this.#turn(claim, signal);
    return this.#heldBy(claim);
  }

  /** Takes a slot at once; undefined: there is none for this owner now, or others wait. */
  tryTake(wish: Wish): Held | undefined {
    const claim = this.#claim(wish);
    if (this.#mayTake(claim)) this.#hold(claim, claim.amount);
    else {
      this.#forget(claim);
      return undefined;
    }
    return this.#heldBy(claim);
  }

  #claim({ owner: { accountId, isTest = false }, keys = [], amount: wanted = 1 }: Wish): Claim {
    const { capacity, forTests } = this.#limits;
    if (wanted < 1) throw new RangeError(`${wanted} is less than 1`);
    const amount = Math.min(wanted, capacity);
    const line = this.#lineOf(isTest ? `test ${accountId}` : `paid ${accountId}`);
    const tests = isTest ? [this.#shareOf('tests', forTests)] : [];
    const ofKeys = new Set(keys.map((key) => this.#shareOfKey(key)));
    return { amount, line, shares: [line, ...tests, ...ofKeys], turns: isTest ? this.#tests : this.#paid };
  }

  #lineOf(name: string): Line {
    const known = this.#lines.get(name);
    if (known) return known;
    const line = { ...newShare(name, this.#limits.perOwner), next: new OpenItems<Waiter>(), turn: undefined };
    this.#lines.set(name, line);
    return line;
  }

  #shareOfKey(key: string | LimitedKey): Share {
    const { name, limit } = typeof key === 'string' ? { name: key, limit: this.#limits.perKey } : key;
    return this.#shareOf(`key ${name}`, limit);
  }

  #shareOf(name: string, limit: number): Share {
    const known = this.#shares.get(name);
    if (known) return known;
    const share = newShare(name, limit);
    this.#shares.set(name, share);
    return share;
  }

  /** True only if nobody has a turn already, and if each share has enough left and keeps nobody back. */
  #mayTake({ amount, shares, turns }: Claim): boolean {
    if (amount > this.#free || this.#paid.size > 0 || turns.size > 0) return false;
    return shares.every((share) => share.keptBack.size === 0 && fits(share, amount));
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
    return { amount: claim.amount, shrinkTo, release: () => shrinkTo(0) };
  }

  #turn(claim: Claim, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitingPerOwner } = this.#limits;
    const refused =
      (claim.line.waiting >= maxWaitingPerOwner && tooManyOfOwner()) || (this.#waiting >= maxWaiting && tooMany());
    if (refused) {
      this.#forget(claim);
      return Promise.reject(refused);
    }
    return new Promise((resolve, reject) => {
      const admit = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const waiter = this.#join({ ...claim, admit });
      const leave = () => {
        this.#leave(waiter);
        this.#continue(waiter);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #join(claim: Claim & Pick<Waiter, 'admit'>): Waiter {
    this.#waiting += 1;
    for (const share of claim.shares) share.waiting += 1;
    const full = claim.shares.find((share) => share.keptBack.size > 0 || !fits(share, claim.amount));
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

  /** Called after something of these shares was given back, or one of their waiters is gone. */
  #continue(claim: Claim): void {
    this.#callUp(claim.shares);
    this.#admit();
    this.#forget(claim);
  }

  /** Each share lets go of its first waiter that fits now: the waiter gets a turn, or moves to another share that keeps it back. */
  #callUp(shares: readonly Share[]): void {
    for (const share of shares) {
      for (let first = share.keptBack.first; first !== undefined; first = share.keptBack.first) {
        const { amount } = first;
        if (!fits(share, amount)) break;
        share.keptBack.remove(first.place);
        const full = first.shares.find((other) => !fits(other, amount));
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
      const full = shares.find((share) => !fits(share, amount));
      // The next one is not passed by whoever needs less.
      if (full === undefined && amount > this.#free) return;
      if (full === undefined) {
        this.#leave(waiter);
        this.#hold(waiter, amount);
        admit();
      } else {
        // Somebody else has taken what the share had left meanwhile.
        this.#step(waiter);
        stand(waiter, full.keptBack, 'first');
      }
      this.#callUp(shares);
    }
  }

  #nextWaiter(): Waiter | undefined {
    return (this.#paid.first ?? this.#tests.first)?.next.first;
  }

  #forget({ line, shares }: Claim): void {
    for (const { name, held, waiting } of shares) {
      if (held === 0 && waiting === 0) (name === line.name ? this.#lines : this.#shares).delete(name);
    }
  }
}
