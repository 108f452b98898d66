/** A clock that moves by `advance` alone, and what is to happen at which time. */
export class VirtualTime {
  #nowMs: number;
  readonly #beganAtMs: number;
  #sequence = 0;
  readonly #random: () => number;
  /** Sorted by time, then by when it was scheduled. */
  readonly #timers: { atMs: number; sequence: number; act: () => void }[] = [];

  constructor(options: { beginsAtMs: number; seed: number }) {
    this.#nowMs = options.beginsAtMs;
    this.#beganAtMs = options.beginsAtMs;
    this.#random = seededRandom(options.seed);
  }

  /** Milliseconds since the beginning. */
  get passedMs(): number {
    return this.#nowMs - this.#beganAtMs;
  }

  get now(): Date {
    return new Date(this.#nowMs);
  }

  random(): number {
    return this.#random();
  }

  after(delayMs: number, act: () => void): void {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), sequence: this.#sequence, act };
    this.#sequence += 1;
    this.#timers.splice(this.#placeOf(timer.atMs), 0, timer);
  }

  every(periodMs: number, act: () => void, firstAfterMs = periodMs): void {
    this.after(firstAfterMs, () => {
      act();
      this.every(periodMs, act);
    });
  }

  /** Moves the clock, and returns what is due by then, in its order. */
  advance(ms: number): (() => void)[] {
    this.#nowMs += ms;
    const due = this.#placeOf(this.#nowMs);
    return this.#timers.splice(0, due).map(({ act }) => act);
  }

  /** Puts this clock, and a seeded source of chance, in the place of the process's own while `act` runs. */
  async install<T>(act: () => Promise<T>): Promise<T> {
    const own = { dateNow: Date.now, performanceNow: performance.now, random: Math.random };
    Date.now = () => this.#nowMs;
    performance.now = () => this.passedMs;
    Math.random = this.#random;
    try {
      return await act();
    } finally {
      Date.now = own.dateNow;
      performance.now = own.performanceNow;
      Math.random = own.random;
    }
  }

  /** The place behind all timers that are due at that time or before. */
  #placeOf(atMs: number): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** mulberry32: the same numbers for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
