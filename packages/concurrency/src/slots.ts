import { CountByKey } from './count-by-key';
import { untilAborted } from './until-aborted';

interface Waiter {
  keys: readonly string[];
  admit(): void;
}

/** Gives a slot back. To be called once. */
type Release = () => void;

/**
 * At most `limit` holders at once, first come, first served. A slot counts for each of its holder's keys, and no key has
 * more than its share, so that work which hangs under one key leaves slots for the others.
 */
export class Slots {
  readonly #perKey: number;
  readonly #taken = new CountByKey();
  readonly #waiting = new Set<Waiter>();
  #free: number;

  /** @param options.perKey the share of one key; default: all slots. */
  constructor(limit: number, { perKey = limit }: { perKey?: number } = {}) {
    this.#free = limit;
    this.#perKey = perKey;
  }

  get areAllTaken(): boolean {
    return this.#free === 0;
  }

  /**
   * Waits for a free slot. A holder whose key has its share waits, and those behind it pass.
   *
   * @throws the signal's reason once it aborts.
   */
  async take(signal: AbortSignal, keys: readonly string[] = []): Promise<Release> {
    signal.throwIfAborted();
    const own = [...new Set(keys)];
    if (this.#mayTake(own)) this.#occupy(own);
    else await this.#turn(signal, own);
    return () => this.#release(own);
  }

  /** A free slot at once, or undefined: all are taken, or one of the keys has its share. */
  tryTake(...keys: readonly string[]): Release | undefined {
    const own = [...new Set(keys)];
    if (!this.#mayTake(own)) return undefined;
    this.#occupy(own);
    return () => this.#release(own);
  }

  #mayTake(keys: readonly string[]): boolean {
    return this.#free > 0 && keys.every((key) => this.#taken.of(key) < this.#perKey);
  }

  #occupy(keys: readonly string[]): void {
    this.#free -= 1;
    this.#taken.add(...keys);
  }

  #release(keys: readonly string[]): void {
    this.#free += 1;
    this.#taken.remove(...keys);
    this.#admitWaiting();
  }

  #admitWaiting(): void {
    for (const waiter of this.#waiting) {
      if (this.#free === 0) return;
      if (!this.#mayTake(waiter.keys)) continue;
      this.#waiting.delete(waiter);
      this.#occupy(waiter.keys);
      waiter.admit();
    }
  }

  async #turn(signal: AbortSignal, keys: readonly string[]): Promise<void> {
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const waiter = { keys, admit };
    this.#waiting.add(waiter);
    try {
      await untilAborted(admitted, signal);
    } catch (error) {
      // Admitted and aborted in the same turn of the event loop: the slot is taken already, and must be given back.
      if (!this.#waiting.delete(waiter)) this.#release(keys);
      throw error;
    }
  }
}
