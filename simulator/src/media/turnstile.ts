/** Lets so many in at once; the others wait in line. */
export interface Turnstile {
  /** Resolves with the way out, to be called once. Rejects when the signal fires before the turn has come. */
  enter(signal?: AbortSignal): Promise<() => void>;
  inside(): number;
  waiting(): number;
}

export function createTurnstile(places: number): Turnstile {
  let inside = 0;
  const line = new Set<() => void>();

  const leave = () => {
    inside -= 1;
    const [next] = line;
    next?.();
  };
  const go = () => {
    inside += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      leave();
    };
  };

  return {
    inside: () => inside,
    waiting: () => line.size,
    enter(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (inside < places) return Promise.resolve(go());
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          line.delete(turn);
          reject(signal?.reason);
        };
        const turn = () => {
          line.delete(turn);
          signal?.removeEventListener('abort', giveUp);
          resolve(go());
        };
        line.add(turn);
        signal?.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
