import type { CountRequests, Place } from './count-requests';

/**
 * Counts requests, each by itself, at the cost of few counts: what comes while a count is under way shares the next one,
 * as in a group commit. At most one count is under way, so the requests of a key keep their order.
 */
export function countTogether(count: CountRequests): (keyId: string) => Promise<Place> {
  let waiting = new Map<string, Waiting[]>();
  let busy = false;

  async function countAll(): Promise<void> {
    while (waiting.size > 0) {
      const groups = waiting;
      waiting = new Map();
      await Promise.all([...groups].map(([keyId, group]) => countGroup(keyId, group, count)));
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
async function countGroup(keyId: string, group: readonly Waiting[], count: CountRequests): Promise<void> {
  try {
    const places = await count(keyId, group.length);
    for (const [index, { resolve }] of group.entries()) resolve(places[index] as Place);
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
