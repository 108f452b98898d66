import { type Nano, timeOrderedId } from '@mediagate/contracts';
import type { TrancheRow, TrancheWish } from '@mediagate/database';

export interface TrancheLimits {
  /** Of what is left of it at most. */
  limitNano: Nano;
  /** It is drawn from for so long after the database was last asked. */
  usableMs: number;
}

/** After credit was refused a key gets none for so long, */
const REST_MS = 2000;
/** and after a text that no statement takes: the next ones, too, might be answered and never booked. */
const FAULT_REST_MS = 60_000;
/** Tasks that a tranche is for at least. */
const MIN_TASKS = 16n;
/** Of what was drawn since the last statement and is not booked. */
const AHEAD = 2n;

/**
 * What this process has taken of an account and key, as it knows it: never more than the database has, because late answers are passed over.
 * Times by `performance.now()`.
 */
export class Tranche {
  readonly id = `crd_${timeOrderedId()}`;
  readonly accountId: string;
  readonly keyId: string;
  readonly #limits: TrancheLimits;
  #left: Nano = 0n;
  /** Drawn, and not known to be booked. */
  #outstanding: Nano = 0n;
  #drawnSince: Nano = 0n;
  #largest: Nano = 0n;
  #version = -1n;
  #usableUntil = 0;
  lastDrawnAt: number;
  /** Nothing more is drawn. */
  isClosing = false;
  /** For so long its key gets no other. */
  restMs = REST_MS;
  /** A statement without tasks is under way. */
  isRenewing = false;

  constructor(place: { accountId: string; keyId: string }, limits: TrancheLimits) {
    this.accountId = place.accountId;
    this.keyId = place.keyId;
    this.#limits = limits;
    this.lastDrawnAt = performance.now();
  }

  get isSpent(): boolean {
    return this.#outstanding === 0n;
  }

  /** It was asked about long enough ago, or is so far drawn, that it should be asked about again. */
  isDue(now: number): boolean {
    if (now > this.#usableUntil - this.#limits.usableMs / 2) return true;
    const isLow = this.#left - this.#outstanding < this.#largest * (MIN_TASKS / 2n);
    return isLow && this.#left < this.#limits.limitNano;
  }

  /** False: it does not cover the amount, or the database was not asked for too long. */
  draw(amount: Nano, now: number): boolean {
    if (amount > this.#largest) this.#largest = amount;
    if (this.isClosing || now >= this.#usableUntil || this.#left - this.#outstanding < amount) return false;
    this.#outstanding += amount;
    this.#drawnSince += amount;
    this.lastDrawnAt = now;
    return true;
  }

  /** No statement took one of its texts. */
  fault(): void {
    this.restMs = FAULT_REST_MS;
    this.isClosing = true;
  }

  /** Of a task whose way into the books is known. */
  release(amount: Nano): void {
    this.#outstanding -= amount;
  }

  wish(): TrancheWish {
    const { id, accountId, keyId } = this;
    return { id, accountId, keyId, opens: this.#version < 0n, wantedNano: this.#wanted() };
  }

  #wanted(): Nano {
    if (this.isClosing && this.isSpent) return 0n;
    const { limitNano } = this.#limits;
    const wanted = greatest(AHEAD * (this.#outstanding + this.#drawnSince), MIN_TASKS * this.#largest);
    this.#drawnSince = 0n;
    return wanted > limitNano || wanted === 0n ? limitNano : wanted;
  }

  /** @param sentAt when the statement was sent. */
  answered({ booked, goes_on: goesOn, left_nano: left, version }: TrancheRow, sentAt: number): void {
    if (!booked || !goesOn) this.isClosing = true;
    if (version <= this.#version) return;
    this.#version = version;
    this.#left = left;
    this.#usableUntil = sentAt + this.#limits.usableMs;
  }
}

const greatest = (one: bigint, other: bigint): bigint => (one > other ? one : other);
