import { untilAborted } from './deadline';

export interface Slots {
  /**
   * Waits for a free slot, at most until the signal aborts (then throws its reason). Call what it returns when done. The
   * slot counts for each of `keys`; a holder whose key has its share waits, and those behind it pass.
   */
  take(signal: AbortSignal, keys?: readonly string[]): Promise<() => void>;
}

interface Waiter {
  keys: readonly string[];
  admit(): void;
}

/**
 * At most `limit` holders at once, first come first served.
 *
 * @param perKey the share of one key, so that what hangs there leaves slots for others; default: all of them.
 */
export function createSlots(limit: number, { perKey = limit }: { perKey?: number } = {}): Slots {
  let free = limit;
  const held = new Map<string, number>();
  const waiting = new Set<Waiter>();

  const heldBy = (key: string) => held.get(key) ?? 0;
  const mayHold = (keys: readonly string[]) => free > 0 && keys.every((key) => heldBy(key) < perKey);

  function occupy(keys: readonly string[]): void {
    free -= 1;
    for (const key of keys) held.set(key, heldBy(key) + 1);
  }

  function release(keys: readonly string[]): void {
    free += 1;
    for (const key of keys) {
      if (heldBy(key) > 1) held.set(key, heldBy(key) - 1);
      else held.delete(key);
    }
    admitNext();
  }

  function admitNext(): void {
    for (const waiter of waiting) {
      if (free === 0) return;
      if (!mayHold(waiter.keys)) continue;
      waiting.delete(waiter);
      occupy(waiter.keys);
      waiter.admit();
    }
  }

  async function take(signal: AbortSignal, keys: readonly string[] = []): Promise<() => void> {
    signal.throwIfAborted();
    const own = [...new Set(keys)];
    if (mayHold(own)) occupy(own);
    else await turn(signal, own);
    return () => release(own);
  }

  async function turn(signal: AbortSignal, keys: readonly string[]): Promise<void> {
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const waiter = { keys, admit };
    waiting.add(waiter);
    try {
      await untilAborted(admitted, signal);
    } catch (error) {
      // Admitted and aborted in the same turn: the slot is ours already, and somebody else may have it.
      if (!waiting.delete(waiter)) release(keys);
      throw error;
    }
  }

  return { take };
}
