/** A part of the worker's places for one kind of work, so that what hangs there leaves the others free. */
export interface Places {
  /** Undefined: all are taken, or one of the keys has its share. Call the answer once to give the place back. */
  take(...keys: readonly string[]): (() => void) | undefined;
}

/** @param perKey one channel's, account's or host's share, so that it cannot have all. */
export function createPlaces({ total, perKey }: { total: number; perKey: number }): Places {
  const taken = new Map<string, number>();
  let all = 0;
  const takenBy = (key: string) => taken.get(key) ?? 0;
  return {
    take(...keys) {
      const own = new Set(keys);
      if (all >= total || [...own].some((key) => takenBy(key) >= perKey)) return undefined;
      all += 1;
      for (const key of own) taken.set(key, takenBy(key) + 1);
      return () => {
        all -= 1;
        for (const key of own) {
          if (takenBy(key) > 1) taken.set(key, takenBy(key) - 1);
          else taken.delete(key);
        }
      };
    },
  };
}

/** Of a family's concurrency: what waits for strangers' servers never has more than its part. */
export interface WaitingPlaces {
  /** Files of callers, by account and by the hosts that have them. */
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
    files: createPlaces({ total: part(1 / 4), perKey: part(1 / 4) / 2 }),
    questions: createPlaces({ total: part(3 / 4), perKey: part(1 / 2) }),
    doubtfulQuestions: createPlaces({ total: part(1 / 8), perKey: part(1 / 16) }),
    results: createPlaces({ total: part(1 / 4), perKey: part(1 / 8) }),
  };
}
