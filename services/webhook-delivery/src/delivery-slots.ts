import { SlowLines } from './slow-lines';

export interface SlotItem {
  /** The delivery's id. */
  id: string;
  accountId: string;
  /** Where it goes, port included. */
  host: string;
}

export interface SlotLimits {
  /** In flight in this process, at most: as many as the queue's consumer takes at once. */
  total: number;
  /** In flight to one host, in this process. The second half is for accounts that have nothing in flight there. */
  perHost: number;
  /** Of one account, of those. */
  perHostOfAccount: number;
  /**
   * In flight for one account, over all its hosts: host names cost nothing, so a limit on hosts alone would not hold. The first aside,
   * none has more than a quarter of what is left, so that it takes many that hang until the next one finds no slot.
   */
  perAccount: number;
  /** In flight, of all that were slow the last time; each account has one at a host, and an eighth of them in all. */
  slow: number;
  /** An attempt is slow that takes longer, also while it lasts. */
  slowMs: number;
  /** Waiting for a slot, of one account. */
  maxWaitingPerAccount: number;
  /** Waiting for a slot, in total. */
  maxWaiting: number;
}

/** Of the slots for what was slow, an account has a part of so many at most, and one at least: its hosts cost it nothing. */
const SLOW_SHARES = 8;

/** How many there are of something. */
interface Count {
  inFlight: number;
  /** Of them those that were slow the last time. */
  slowInFlight: number;
  waiting: number;
}

/** The deliveries of one account to one host. Forgotten once it has none. */
interface Line {
  key: string;
  /** Each with the moment that it got its slot, the longest there first. */
  inFlight: Map<SlotItem, Held>;
  account: Count;
  host: Count;
}

interface Held {
  line: Line;
  since: number;
  /** It counts among the slow ones. */
  isSlow: boolean;
}

/**
 * Keeps a receiver that hangs from delaying anybody else. A delivery whose host or account has its share in flight waits in
 * memory and occupies none of the queue's consumers; whoever frees a slot continues with what may have one then, and `total`
 * bounds the number in flight. Accounts that share a host, of an automation service for example, do not wait for what hangs of
 * another's there.
 *
 * A waiting delivery is still leased in the database, and nobody renews that lease: when it ends the reconciler enqueues the
 * delivery, and the new claim replaces the old one here. So a delivery that this process forgets, by a crash or because the
 * line was full, is merely late. Deliveries of one account to one host keep their order; such lines take turns.
 */
export class DeliverySlots<Item extends SlotItem> {
  readonly #limits: SlotLimits;
  readonly #now: () => number;
  readonly #lines = new Map<string, Line>();
  readonly #accounts = new Map<string, Count>();
  readonly #hosts = new Map<string, Count>();
  readonly #slowLines = new SlowLines();
  /** The line whose turn is next first; within a line by delivery id, the oldest first. */
  readonly #waiting = new Map<Line, Map<string, Item>>();
  #waitingCount = 0;
  #inFlight = 0;
  #slowInFlight = 0;
  #closed = false;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(limits: SlotLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /** True: it has a slot, and `release` must follow. False: there is none now, and it does not wait. */
  tryTake(item: Item): boolean {
    const line = this.#lineOf(item);
    const isTaken = !this.#waiting.has(line) && this.#hasSlot(line);
    if (isTaken) this.#hold(item, line);
    this.#forgetEmpty(item, line);
    return isTaken;
  }

  /** True: it has a slot, and `release` must follow. False: it waits here, or the line is full. */
  take(item: Item): boolean {
    if (this.tryTake(item)) return true;
    if (this.#closed) return false;
    const line = this.#lineOf(item);
    this.#enqueue(item, line);
    this.#forgetEmpty(item, line);
    return false;
  }

  /**
   * Frees the slot, and gives a slot to each waiting delivery that may have one now, in turn: the caller continues with those. It may be
   * more than one: a line that is quick again may have several at once. `tookMs`: what its receiver took; undefined: it was not asked.
   */
  release(item: Item, tookMs?: number): Item[] {
    this.#letGo(item, tookMs);
    const begun: Item[] = [];
    // A line that goes to the end of the turn is looked at again there.
    for (const [line, items] of this.#waiting) {
      if (this.#inFlight >= this.#limits.total) break;
      const [next] = items.values();
      if (next === undefined || !this.#hasSlot(line)) continue;
      this.#dequeue(next, { line, items });
      this.#hold(next, line);
      begun.push(next);
    }
    return begun;
  }

  /** From now on no waiting delivery gets a slot. Returns those that waited. */
  close(): Item[] {
    this.#closed = true;
    const waiting = [...this.#waiting.values()].flatMap((items) => [...items.values()]);
    this.#waiting.clear();
    this.#waitingCount = 0;
    return waiting;
  }

  #hasSlot(line: Line): boolean {
    const { total, perHost, perHostOfAccount, perAccount, slow } = this.#limits;
    const { account, host, inFlight } = line;
    const left = total - this.#inFlight;
    if (left <= 0 || account.inFlight >= perAccount || account.inFlight > left / 4) return false;
    if (this.#isSlow(line)) {
      const hasShare = this.#slowInFlight < slow && account.slowInFlight < Math.max(1, slow / SLOW_SHARES);
      return inFlight.size === 0 && hasShare && host.inFlight < perHost;
    }
    return inFlight.size === 0
      ? host.inFlight < perHost
      : inFlight.size < perHostOfAccount && host.inFlight < perHost / 2;
  }

  /** By its last attempt that has ended, or by one that lasts. */
  #isSlow({ key, inFlight }: Line): boolean {
    if (this.#slowLines.has(key)) return true;
    const [oldest] = inFlight.values();
    return oldest !== undefined && this.#now() - oldest.since > this.#limits.slowMs;
  }

  #hold(item: Item, line: Line): void {
    const isSlow = this.#isSlow(line);
    line.inFlight.set(item, { line, since: this.#now(), isSlow });
    line.account.inFlight += 1;
    line.host.inFlight += 1;
    this.#inFlight += 1;
    if (!isSlow) return;
    line.account.slowInFlight += 1;
    this.#slowInFlight += 1;
  }

  #letGo(item: Item, tookMs: number | undefined): void {
    const line = this.#lineOf(item);
    const held = line.inFlight.get(item);
    if (held === undefined) return;
    line.inFlight.delete(item);
    line.account.inFlight -= 1;
    line.host.inFlight -= 1;
    this.#inFlight -= 1;
    if (held.isSlow) {
      line.account.slowInFlight -= 1;
      this.#slowInFlight -= 1;
    }
    if (tookMs !== undefined) this.#slowLines.note(line.key, tookMs > this.#limits.slowMs);
    this.#forgetEmpty(item, line);
  }

  #enqueue(item: Item, line: Line): void {
    const items = this.#waiting.get(line) ?? new Map<string, Item>();
    if (!items.has(item.id)) {
      if (this.#waitingCount >= this.#limits.maxWaiting) return;
      if (line.account.waiting >= this.#limits.maxWaitingPerAccount) return;
      line.account.waiting += 1;
      line.host.waiting += 1;
      this.#waitingCount += 1;
    }
    // A delivery that waits already keeps its position, with its new claim.
    items.set(item.id, item);
    this.#waiting.set(line, items);
  }

  #dequeue(item: Item, { line, items }: { line: Line; items: Map<string, Item> }): void {
    items.delete(item.id);
    line.account.waiting -= 1;
    line.host.waiting -= 1;
    this.#waitingCount -= 1;
    // The line goes to the end of the turn.
    this.#waiting.delete(line);
    if (items.size > 0) this.#waiting.set(line, items);
  }

  #lineOf({ accountId, host }: SlotItem): Line {
    const key = `${accountId} ${host}`;
    const known = this.#lines.get(key);
    if (known) return known;
    const line = {
      key,
      inFlight: new Map(),
      account: countOf(this.#accounts, accountId),
      host: countOf(this.#hosts, host),
    };
    this.#lines.set(key, line);
    return line;
  }

  /** So the memory used is that of what is in flight or waits. */
  #forgetEmpty({ accountId, host }: SlotItem, line: Line): void {
    if (line.inFlight.size === 0 && !this.#waiting.has(line)) this.#lines.delete(line.key);
    if (isEmpty(line.account)) this.#accounts.delete(accountId);
    if (isEmpty(line.host)) this.#hosts.delete(host);
  }
}

function countOf(counts: Map<string, Count>, key: string): Count {
  const count = counts.get(key) ?? { inFlight: 0, slowInFlight: 0, waiting: 0 };
  counts.set(key, count);
  return count;
}

function isEmpty({ inFlight, waiting }: Count): boolean {
  return inFlight === 0 && waiting === 0;
}
