import type { SlotLimits, Wish } from '@mediagate/concurrency';

export interface Receiver {
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
export function slotLimitsOf(concurrency: number): SlotLimits {
  const perOwner = Math.max(Math.ceil(concurrency / 16), Math.min(PER_HOST_OF_ACCOUNT, Math.ceil(concurrency / 4)));
  return { capacity: concurrency, perOwner, maxWaiting: MAX_WAITING, maxWaitingPerOwner: MAX_WAITING_OF_ACCOUNT };
}

/**
 * The shares that keep a receiver which hangs from delaying anybody else. A line is an account at a host. All lines that were slow the
 * last time have a quarter of the slots together, and each of them one.
 */
export class Receivers {
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
