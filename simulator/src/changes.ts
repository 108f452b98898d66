/** Lets a reader wait for a change instead of polling: tests await the tenth callback without a sleep. */
export interface Changes {
  /** Something changed: every waiter looks again. */
  notify(): void;
  /** Resolves when `ready()` is true, when `timeoutMs` of real time have passed, or when the signal fires. */
  until(ready: () => boolean, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export function createChanges(): Changes {
  const waiters = new Set<() => void>();
  return {
    notify() {
      for (const look of [...waiters]) look();
    },
    until(ready, timeoutMs, signal) {
      return new Promise((resolve) => {
        if (ready() || signal.aborted) return resolve();
        const leave = () => {
          clearTimeout(timer);
          waiters.delete(look);
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const look = () => {
          if (ready()) leave();
        };
        const timer = setTimeout(leave, timeoutMs);
        signal.addEventListener('abort', leave, { once: true });
        waiters.add(look);
      });
    },
  };
}
