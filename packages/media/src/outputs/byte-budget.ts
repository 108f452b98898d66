/** Room that somebody holds. */
export interface Room {
  /** Gives back what is beyond `bytes`; never takes more. */
  shrinkTo(bytes: number): void;
  /** Gives all of it back; again is nothing. */
  release(): void;
}

export interface ByteBudget {
  /** Waits until there is room for so many bytes, first come first served. Throws the signal's reason; RangeError for more than all. */
  take(bytes: number, signal: AbortSignal): Promise<Room>;
}

interface Waiter {
  bytes: number;
  admit(): void;
}

/** Room for `totalBytes` among all who hold some. */
export function createByteBudget(totalBytes: number): ByteBudget {
  let free = totalBytes;
  const waiting = new Set<Waiter>();

  function give(bytes: number): void {
    free += bytes;
    for (const waiter of waiting) {
      // The first in line is not passed by whoever needs less.
      if (waiter.bytes > free) return;
      waiting.delete(waiter);
      free -= waiter.bytes;
      waiter.admit();
    }
  }

  function roomOf(bytes: number): Room {
    let held = bytes;
    const shrinkTo = (wanted: number) => {
      const surplus = Math.max(0, held - wanted);
      held -= surplus;
      give(surplus);
    };
    return { shrinkTo, release: () => shrinkTo(0) };
  }

  async function take(bytes: number, signal: AbortSignal): Promise<Room> {
    signal.throwIfAborted();
    if (bytes > totalBytes) throw new RangeError(`${bytes} bytes are more than there is room for`);
    if (waiting.size === 0 && bytes <= free) free -= bytes;
    else await turn(bytes, signal);
    return roomOf(bytes);
  }

  function turn(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { bytes, admit };
      function admit(): void {
        signal.removeEventListener('abort', leave);
        resolve();
      }
      function leave(): void {
        waiting.delete(waiter);
        // Whoever stood behind may need less.
        give(0);
        reject(signal.reason);
      }
      waiting.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return { take };
}
