import { untilAborted } from './deadline';

export interface Slots {
  /** Waits for a free slot, at most until the signal aborts (then throws its reason). Call what it returns when done. */
  take(signal: AbortSignal): Promise<() => void>;
}

/** At most `limit` holders at once, first come first served. */
export function createSlots(limit: number): Slots {
  let free = limit;
  const waiting = new Set<() => void>();

  function release(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  }

  async function take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else await turn(signal);
    return release;
  }

  async function turn(signal: AbortSignal): Promise<void> {
    let wake = () => {};
    const called = new Promise<void>((resolve) => {
      wake = resolve;
    });
    waiting.add(wake);
    try {
      await untilAborted(called, signal);
    } catch (error) {
      // Called and aborted in the same turn: the slot is ours already, and somebody else may have it.
      if (!waiting.delete(wake)) release();
      throw error;
    }
  }

  return { take };
}
