/** Room that somebody holds. */
export interface Room {
  /** Gives back what is beyond `bytes`; never takes more. */
  shrinkTo(bytes: number): void;
  /** Gives all of it back; again is nothing. */
  release(): void;
}

export interface ByteBudget {
  /**
   * Waits until there is room for so many bytes, first come first served; whoever's key has its share is passed meanwhile.
   * Throws the signal's reason; RangeError for more than there ever is.
   */
  take(bytes: number, signal: AbortSignal, key?: string): Promise<Room>;
}

interface Wanted {
  bytes: number;
  key: string | undefined;
}

interface Waiter extends Wanted {
  admit(): void;
}

/**
 * Room for `totalBytes` among all who hold some.
 *
 * @param perKey bytes that several of one key may hold together; default: all.
 */
export function createByteBudget(totalBytes: number, { perKey = totalBytes }: { perKey?: number } = {}): ByteBudget {
  let free = totalBytes;
  const held = new Map<string, number>();
  const waiting = new Set<Waiter>();

  const heldBy = (key: string | undefined) => (key === undefined ? 0 : (held.get(key) ?? 0));
  /** Who holds nothing is never kept out for good, however much it needs. */
  const isBeyondShare = ({ bytes, key }: Wanted) => heldBy(key) > 0 && heldBy(key) + bytes > perKey;

  function hold(bytes: number, key: string | undefined): void {
    free -= bytes;
    if (key === undefined) return;
    const now = heldBy(key) + bytes;
    if (now > 0) held.set(key, now);
    else held.delete(key);
  }

  function admitNext(): void {
    for (const waiter of waiting) {
      if (isBeyondShare(waiter)) continue;
      // The first in line is not passed by whoever needs less.
      if (waiter.bytes > free) return;
      waiting.delete(waiter);
      hold(waiter.bytes, waiter.key);
      waiter.admit();
    }
  }

  function roomOf({ bytes, key }: Wanted): Room {
    let left = bytes;
    const shrinkTo = (wanted: number) => {
      const surplus = Math.max(0, left - wanted);
      left -= surplus;
      hold(-surplus, key);
      admitNext();
    };
    return { shrinkTo, release: () => shrinkTo(0) };
  }

  async function take(bytes: number, signal: AbortSignal, key?: string): Promise<Room> {
    signal.throwIfAborted();
    const wanted = { bytes, key };
    if (bytes > totalBytes) throw new RangeError(`${bytes} bytes are more than there is room for`);
    const isNext = [...waiting].every(isBeyondShare);
    if (isNext && bytes <= free && !isBeyondShare(wanted)) hold(bytes, key);
    else await turn(wanted, signal);
    return roomOf(wanted);
  }

  function turn(wanted: Wanted, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { ...wanted, admit };
      function admit(): void {
        signal.removeEventListener('abort', leave);
        resolve();
      }
      function leave(): void {
        waiting.delete(waiter);
        // Whoever stood behind may need less.
        admitNext();
        reject(signal.reason);
      }
      waiting.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return { take };
}
