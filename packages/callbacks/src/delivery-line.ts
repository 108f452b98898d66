import { type Held, type SlotLimits, Slots, type Wish } from '@mediagate/concurrency';

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

interface Receiver {
  accountId: string;
  /** Where the delivery goes, port included. */
  host: string;
}

/** Attempts in flight to one host. */
const PER_HOST = 32;
/** One account's share of those. */
const PER_HOST_OF_ACCOUNT = 4;
/** The slots for slow lines have so many equal parts; an account gets one part, or at least one slot: hosts cost it nothing. */
const SLOW_SHARES = 8;
/** An attempt that takes longer is slow, even before it ends. */
const SLOW_MS = 2000;
/** Deliveries that wait for a slot; each costs some 3 kB. */
const MAX_WAITING = 10_000;
const MAX_WAITING_OF_ACCOUNT = 1000;
/** Each is a text of some 60 characters. */
const MAX_SLOW_LINES = 10_000;

/**
 * One account gets a sixteenth of the slots over all its hosts, or up to four where that is more: host names cost nothing, so a limit on
 * hosts alone would not hold, and a dozen accounts whose receivers hang leave a quarter of the slots.
 */
function slotLimitsOf(concurrency: number): SlotLimits {
  const perOwner = Math.max(Math.ceil(concurrency / 16), Math.min(PER_HOST_OF_ACCOUNT, Math.ceil(concurrency / 4)));
  return { capacity: concurrency, perOwner, maxWaiting: MAX_WAITING, maxWaitingPerOwner: MAX_WAITING_OF_ACCOUNT };
}

/**
 * The shares that keep a receiver which hangs from delaying anybody else. A line is an account at a host. All lines that were slow the
 * last time have a quarter of the slots together, and each of them one.
 */
class Receivers {
  readonly #slowLines = new SlowLines();
  readonly #forSlow: number;

  constructor(concurrency: number) {
    this.#forSlow = Math.ceil(concurrency / 4);
  }

  /** Judges by the line's last attempt that has ended, or by one that lasts. */
  isSlow(receiver: Receiver): boolean {
    return this.#slowLines.has(lineOf(receiver));
  }

  wish(receiver: Receiver): Wish {
    const { accountId, host } = receiver;
    const line = lineOf(receiver);
    const keys = [
      { name: `host ${host}`, limit: PER_HOST },
      { name: `line ${line}`, limit: PER_HOST_OF_ACCOUNT },
    ];
    if (this.#slowLines.has(line)) {
      keys.push(
        { name: `slow line ${line}`, limit: 1 },
        { name: `slow account ${accountId}`, limit: Math.max(1, Math.floor(this.#forSlow / SLOW_SHARES)) },
        { name: 'slow', limit: this.#forSlow },
      );
    }
    return { owner: { accountId }, keys };
  }

  /** An attempt begins. The function is called at its end with what the receiver took, or without where it was not asked. */
  watch(receiver: Receiver): (tookMs?: number) => void {
    const line = lineOf(receiver);
    const timer = setTimeout(() => this.#slowLines.note(line, true), SLOW_MS).unref();
    return (tookMs = 0) => {
      clearTimeout(timer);
      this.#slowLines.note(line, tookMs > SLOW_MS);
    };
  }
}

function lineOf({ accountId, host }: Receiver): string {
  return `${accountId} ${host}`;
}

/** Lines whose last attempt was slow. Beyond so many the one is forgotten that was slow the longest ago: it has the chance of a new one. */
class SlowLines {
  readonly #lines = new Set<string>();

  has(line: string): boolean {
    return this.#lines.has(line);
  }

  note(line: string, isSlow: boolean): void {
    this.#lines.delete(line);
    if (!isSlow) return;
    this.#lines.add(line);
    if (this.#lines.size <= MAX_SLOW_LINES) return;
    const [longestAgo] = this.#lines;
    if (longestAgo !== undefined) this.#lines.delete(longestAgo);
  }
}
