/** Bytes that somebody holds. */
export interface HeldBytes {
  /** Gives back what is beyond `bytes`; never takes more. */
  shrinkTo(bytes: number): void;
  /** Gives all of them back; again is nothing. */
  release(): void;
}

interface Wanted {
  bytes: number;
  key: string | undefined;
}

interface Waiter extends Wanted {
  admit(): void;
}

/** A limited number of bytes that all who need some share. */
export class ByteSlots {
  readonly #totalBytes: number;
  readonly #perKey: number;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #free: number;

  /** @param perKey bytes that several of one key may hold together; default: all. */
  constructor(totalBytes: number, { perKey = totalBytes }: { perKey?: number } = {}) {
    this.#totalBytes = totalBytes;
    this.#perKey = perKey;
    this.#free = totalBytes;
  }

  /**
   * Waits until so many bytes are free, first come first served. One whose key already holds its share is overtaken.
   * Throws the signal's reason; RangeError for more than there ever is.
   */
  async take(bytes: number, signal: AbortSignal, key?: string): Promise<HeldBytes> {
    signal.throwIfAborted();
    if (bytes > this.#totalBytes) throw new RangeError(`${bytes} bytes are more than ${this.#totalBytes}`);
    const wanted = { bytes, key };
    const isNext = [...this.#waiting].every((waiter) => this.#isBeyondShare(waiter));
    if (isNext && bytes <= this.#free && !this.#isBeyondShare(wanted)) this.#hold(bytes, key);
    else await this.#turn(wanted, signal);
    return this.#heldBytes(wanted);
  }

  /** Who holds nothing is never kept out for good, however much it needs. */
  #isBeyondShare({ bytes, key }: Wanted): boolean {
    const heldBytes = this.#heldBy(key);
    return heldBytes > 0 && heldBytes + bytes > this.#perKey;
  }

  #heldBy(key: string | undefined): number {
    return key === undefined ? 0 : (this.#held.get(key) ?? 0);
  }

  #hold(bytes: number, key: string | undefined): void {
    this.#free -= bytes;
    if (key === undefined) return;
    const now = this.#heldBy(key) + bytes;
    if (now > 0) this.#held.set(key, now);
    else this.#held.delete(key);
  }

  #turn(wanted: Wanted, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiter = { ...wanted, admit };
      const leave = () => {
        this.#waiting.delete(waiter);
        // Whoever stood behind may need less.
        this.#admitNext();
        reject(signal.reason);
      };
      this.#waiting.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #admitNext(): void {
    for (const waiter of this.#waiting) {
      if (this.#isBeyondShare(waiter)) continue;
      // The first in line is not passed by whoever needs less.
      if (waiter.bytes > this.#free) return;
      this.#waiting.delete(waiter);
      this.#hold(waiter.bytes, waiter.key);
      waiter.admit();
    }
  }

  #heldBytes({ bytes, key }: Wanted): HeldBytes {
    let left = bytes;
    const shrinkTo = (wanted: number) => {
      const surplus = Math.max(0, left - wanted);
      left -= surplus;
      this.#hold(-surplus, key);
      this.#admitNext();
    };
    return { shrinkTo, release: () => shrinkTo(0) };
  }
}
