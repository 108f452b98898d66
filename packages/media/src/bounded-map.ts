/**
 * `run` over all items, at most `limit` at once, results in the items' order. The first failure calls off what has begun
 * (through the signal that `run` gets), keeps the rest from beginning, and is thrown once all that had begun has ended.
 */
export async function boundedMap<Item, Result>(
  items: readonly Item[],
  { limit, signal }: { limit: number; signal?: AbortSignal },
  run: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const siblings = new AbortController();
  const either = signal === undefined ? siblings.signal : AbortSignal.any([signal, siblings.signal]);
  const queue = items.entries();

  async function work(): Promise<void> {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await run(item, either);
      } catch (error) {
        failures.push(error);
        siblings.abort(error);
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
