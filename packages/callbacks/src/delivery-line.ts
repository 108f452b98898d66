import { type Held, Slots } from '@mediagate/concurrency';
import { type Receiver, Receivers, slotLimitsOf } from './receivers';

export interface Waiting extends Receiver {
  /** The delivery's id. */
  id: string;
}

/** Makes the attempt; never rejects. Returns what the receiver took in milliseconds; undefined: it was not asked. */
type Carry<Item> = (item: Item) => Promise<number | undefined>;

/** Deliveries that wait to be begun: a job names several, and a process takes as many jobs as it has slots. */
const MAX_WAITING_TURNS = 10_000;
/** Between two reports that the line is full. */
const FULL_AGAIN_MS = 60_000;
const ALL = { owner: { accountId: 'all' } };

/**
 * Gives deliveries their slots: first a turn to be begun, then a slot for their host and account. One whose host or account has its share
 * in flight waits in memory, and gives its turn to the next.
 *
 * A waiting delivery is still leased in the database, and nobody renews that lease: when it ends the reconciler enqueues the delivery, and
 * the new claim replaces the old one here. So a delivery that this process forgets, by a crash or because the line was full, is merely late.
 */
export class DeliveryLine<Item extends Waiting> {
  readonly #turns: Slots;
  readonly #slots: Slots;
  readonly #receivers: Receivers;
  /** Waiting deliveries by id, each under its latest claim. */
  readonly #waiting = new Map<string, Item>();
  readonly #carried = new Set<Promise<void>>();
  readonly #onFull: () => void;
  /** By `performance.now()`. */
  #fullAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** @param onFull called once a minute at most, while the full line leaves deliveries to the reconciler. */
  constructor(concurrency: number, onFull: () => void) {
    this.#onFull = onFull;
    const [maxWaiting, maxWaitingPerOwner] = [MAX_WAITING_TURNS, MAX_WAITING_TURNS];
    this.#turns = new Slots({ capacity: concurrency, perOwner: concurrency, maxWaiting, maxWaitingPerOwner });
    this.#slots = new Slots(slotLimitsOf(concurrency));
    this.#receivers = new Receivers(concurrency);
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /**
   * Begins a delivery in its turn, in the order in which they came. One that finds the line closed, or full, is left to the reconciler:
   * its row says that it is due.
   */
  async inTurn(begin: () => Promise<void>): Promise<void> {
    const turn = await this.#turns.take(ALL).catch(() => this.#reportFull());
    if (!turn) return;
    try {
      if (!this.#isClosed) await begin();
    } finally {
      turn.release();
    }
  }

  /** Undefined: there is no slot now; else resolves once the delivery was carried. */
  tryCarry(item: Item, carry: Carry<Item>): Promise<void> | undefined {
    const held = this.#slots.tryTake(this.#receivers.wish(item));
    return held && this.#carryWith(held, item, carry);
  }

  /** Carries it in its turn. One that waits already keeps its position, with its new claim. */
  queue(item: Item, carry: Carry<Item>): void {
    const isQueued = this.#waiting.has(item.id);
    this.#waiting.set(item.id, item);
    if (isQueued) return;
    const carried = this.#carryInTurn(item, carry).finally(() => this.#carried.delete(carried));
    this.#carried.add(carried);
  }

  /** From now on no waiting delivery is begun or carried. Returns those that waited for a slot. */
  close(): Item[] {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#isClosed = true;
    return waiting;
  }

  /** Resolves once those have ended that had waited and are in flight. */
  async ended(): Promise<void> {
    await Promise.all(this.#carried);
  }

  async #carryInTurn(first: Item, carry: Carry<Item>): Promise<void> {
    const held = await this.#takeInTurn(first).catch(() => this.#reportFull());
    const item = this.#waiting.get(first.id);
    this.#waiting.delete(first.id);
    if (held && item && !this.#isClosed) await this.#carryWith(held, item, carry);
    else if (held) held.release();
  }

  #reportFull(): void {
    if (performance.now() - this.#fullAt < FULL_AGAIN_MS) return;
    this.#fullAt = performance.now();
    this.#onFull();
  }

  /** A receiver that became slow, or quick again, meanwhile has other shares: each that waited for it joins those in its turn. */
  async #takeInTurn(item: Item): Promise<Held> {
    for (;;) {
      const wasSlow = this.#receivers.isSlow(item);
      const held = await this.#slots.take(this.#receivers.wish(item));
      if (this.#receivers.isSlow(item) === wasSlow) return held;
      held.release();
    }
  }

  async #carryWith({ release }: Held, item: Item, carry: Carry<Item>): Promise<void> {
    const end = this.#receivers.watch(item);
    const tookMs = await carry(item);
    end(tookMs);
    release();
  }
}
