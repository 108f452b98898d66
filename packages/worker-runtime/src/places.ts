/** A part of the worker's places for one kind of work, so that what hangs there leaves the others free. */
export interface Places {
  /** Undefined: all are taken, or this key has its share. Call the answer once to give the place back. */
  take(key: string): (() => void) | undefined;
}

/** @param perKey one channel's or account's share, so that it cannot have all. */
export function createPlaces({ total, perKey }: { total: number; perKey: number }): Places {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(key) {
      const mine = taken.get(key) ?? 0;
      if (all >= total || mine >= perKey) return undefined;
      all += 1;
      taken.set(key, mine + 1);
      return () => {
        all -= 1;
        const left = (taken.get(key) ?? 1) - 1;
        if (left === 0) taken.delete(key);
        else taken.set(key, left);
      };
    },
  };
}

/** Of a family's concurrency: what waits for strangers' servers never has more than its part. */
export interface WaitingPlaces {
  /** Files of callers, by account. */
  files: Places;
  /** Questions about accepted jobs, by channel. */
  questions: Places;
  /** The same about jobs whose last question went wrong: those that hang again must not take the place of others. */
  doubtfulQuestions: Places;
  /** Results of accepted jobs on their way here, by channel. */
  results: Places;
}

/** Below this a part would slow down what is well. */
const MIN_PART = 8;

export function createWaitingPlaces(concurrency: number): WaitingPlaces {
  const part = (share: number) => Math.max(MIN_PART, Math.floor(concurrency * share));
  return {
    files: createPlaces({ total: part(1 / 4), perKey: part(1 / 8) }),
    questions: createPlaces({ total: part(3 / 4), perKey: part(1 / 2) }),
    doubtfulQuestions: createPlaces({ total: part(1 / 8), perKey: part(1 / 16) }),
    results: createPlaces({ total: part(1 / 4), perKey: part(1 / 8) }),
  };
}
