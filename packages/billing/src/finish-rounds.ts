import type { TaskId } from '@mediagate/contracts';

/** Rounds that have been committed stay so: where a later round fails, only its items and those of the rounds after it fail. */
export async function inRounds<Item extends { taskId: TaskId }, End>(
  items: Item[],
  run: (round: Item[]) => Promise<[Item, End][]>,
): Promise<(End | Promise<End>)[]> {
  const ends = new Map<Item, End>();
  let failure: unknown;
  for (const round of roundsOfDistinctTasks(items)) {
    try {
      for (const [item, end] of await run(round)) ends.set(item, end);
    } catch (error) {
      if (ends.size === 0) throw error;
      failure = error;
      break;
    }
  }
  return items.map((item) => ends.get(item) ?? Promise.reject(failure));
}

/** A statement may name a task once; a second item of the same task waits for the first one's outcome. */
function roundsOfDistinctTasks<Item extends { taskId: TaskId }>(items: Item[]): Item[][] {
  const rounds: Item[][] = [];
  const seen = new Map<TaskId, number>();
  for (const item of items) {
    const round = seen.get(item.taskId) ?? 0;
    seen.set(item.taskId, round + 1);
    rounds[round] = [...(rounds[round] ?? []), item];
  }
  return rounds;
}
