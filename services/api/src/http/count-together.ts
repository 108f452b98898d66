/** Where a request stands in a window of time. */
export interface Place {
  /** Its own number, from 1. */
  number: number;
  /** Until the window ends. */
  msBeforeNext: number;
}

/** Adds so many points to a key's window; answers with how many it has had, these included. */
export type AddPoints = (keyId: string, points: number) => Promise<{ consumedPoints: number; msBeforeNext: number }>;

/**
 * Counts requests, each by itself, at the cost of few counts: what comes while a count is under way shares the next one,
 * as in a group commit. At most one count of a window is under way, so its keys' requests keep their order.
 */
export function countTogether(add: AddPoints): (keyId: string) => Promise<Place> {
  let waiting = new Map<string, Waiting[]>();
  let busy = false;

  async function countAll(): Promise<void> {
    while (waiting.size > 0) {
      const groups = waiting;
      waiting = new Map();
      await Promise.all([...groups].map(([keyId, group]) => countGroup(keyId, group, add)));
    }
    busy = false;
  }

  return (keyId) =>
    new Promise((resolve, reject) => {
      const group = waiting.get(keyId);
      if (group) group.push({ resolve, reject });
      else waiting.set(keyId, [{ resolve, reject }]);
      if (busy) return;
      busy = true;
      // Everything that arrives in this turn of the event loop is counted at once.
      setImmediate(() => void countAll());
    });
}

interface Waiting {
  resolve(place: Place): void;
  reject(error: unknown): void;
}

/** Never rejects: every request of the group has its own promise. */
async function countGroup(keyId: string, group: readonly Waiting[], add: AddPoints): Promise<void> {
  try {
    const { consumedPoints, msBeforeNext } = await add(keyId, group.length);
    const before = consumedPoints - group.length;
    for (const [index, { resolve }] of group.entries()) resolve({ number: before + index + 1, msBeforeNext });
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
