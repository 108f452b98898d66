import { CountByKey } from '@mediagate/concurrency';

export interface SlotItem {
  /** The delivery's id. */
  id: string;
  accountId: string;
  /** Where it goes, port included. */
  host: string;
}

export interface SlotLimits {
  /** In flight to one host, in this process. The second half is for accounts that have nothing in flight there. */
  perHost: number;
  /** Of one account, of those. */
  perHostOfAccount: number;
  /** In flight for one account, over all its hosts: host names cost nothing, so a limit on hosts alone would not hold. */
  perAccount: number;
  /** Waiting for a slot, of one account. */
  maxWaitingPerAccount: number;
  /** Waiting for a slot, in total. */
  maxWaiting: number;
}

/**
 * Keeps a receiver that hangs from delaying anybody else. A delivery whose host or account has its share in flight waits in
 * memory and occupies none of the queue's consumers; whoever frees a slot continues with the next delivery, so the number
 * in flight never exceeds the consumer's own concurrency. Accounts that share a host, of an automation service for example, do not
 * wait for what hangs of another's there.
 *
 * A waiting delivery is still leased in the database, and nobody renews that lease: when it ends the reconciler enqueues the
 * delivery, and the new claim replaces the old one here. So a delivery that this process forgets, by a crash or because the
 * line was full, is merely late. Deliveries of one account to one host keep their order; such lines take turns.
 */
export class DeliverySlots<Item extends SlotItem> {
  readonly #limits: SlotLimits;
  readonly #inFlight = new CountByKey();
  /** By account and host, the line whose turn is next first; within a line by delivery id, the oldest first. */
  readonly #lines = new Map<string, Map<string, Item>>();
  readonly #waitingByAccount = new CountByKey();
  #closed = false;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get waitingCount(): number {
    return this.#waitingByAccount.total;
  }

  /** True: it has a slot, and `release` must follow. False: it waits here, or the line is full. */
  take(item: Item): boolean {
    if (!this.#lines.has(lineOf(item)) && this.#hasSlot(item)) {
      this.#inFlight.add(...keysOf(item));
      return true;
    }
    if (!this.#closed) this.#enqueue(item);
    return false;
  }

  /** Frees the slot and gives it to a waiting delivery, if one may have it: the caller continues with that one. */
  release(item: Item): Item | undefined {
    this.#inFlight.remove(...keysOf(item));
    for (const line of this.#lines.values()) {
      const [next] = line.values();
      if (next === undefined || !this.#hasSlot(next)) continue;
      this.#dequeue(next, line);
      this.#inFlight.add(...keysOf(next));
      return next;
    }
    return undefined;
  }

  /** From now on no waiting delivery gets a slot. Returns those that waited. */
  close(): Item[] {
    this.#closed = true;
    const waiting = [...this.#lines.values()].flatMap((line) => [...line.values()]);
    this.#lines.clear();
    this.#waitingByAccount.clear();
    return waiting;
  }

  #hasSlot(item: Item): boolean {
    const { perHost, perHostOfAccount, perAccount } = this.#limits;
    const [atHost, ofAccount, ofBoth] = keysOf(item).map((key) => this.#inFlight.of(key)) as [number, number, number];
    if (ofAccount >= perAccount) return false;
    return ofBoth === 0 ? atHost < perHost : ofBoth < perHostOfAccount && atHost < perHost / 2;
  }

  #enqueue(item: Item): void {
    const line = this.#lines.get(lineOf(item)) ?? new Map<string, Item>();
    if (!line.has(item.id)) {
      if (this.#waitingByAccount.total >= this.#limits.maxWaiting) return;
      if (this.#waitingByAccount.of(item.accountId) >= this.#limits.maxWaitingPerAccount) return;
      this.#waitingByAccount.add(item.accountId);
    }
    // A delivery that waits already keeps its position, with its new claim.
    line.set(item.id, item);
    this.#lines.set(lineOf(item), line);
  }

  #dequeue(item: Item, line: Map<string, Item>): void {
    line.delete(item.id);
    this.#waitingByAccount.remove(item.accountId);
    // The line goes to the end of the turn.
    this.#lines.delete(lineOf(item));
    if (line.size > 0) this.#lines.set(lineOf(item), line);
  }
}

function keysOf(item: SlotItem): [host: string, account: string, both: string] {
  return [`host ${item.host}`, `account ${item.accountId}`, lineOf(item)];
}

function lineOf(item: SlotItem): string {
  return `${item.accountId} ${item.host}`;
}
