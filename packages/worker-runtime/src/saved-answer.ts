import type { JsonObject } from '@mediagate/contracts';
import { lastAnswer } from './attempt-end';
import type { Produced, Run } from './run-state';

/**
 * The answer to a start that is the result itself, as an operation to be checked: it is saved before any of its links is fetched, so that
 * another worker has it if this one ends. Undefined: it holds bytes, which no row takes, or no file at all.
 */
export function toSavedAnswer(run: Run, produced: Produced): JsonObject | undefined {
  if (produced.outputs.length === 0 || produced.outputs.some(({ bytes }) => bytes !== undefined)) return undefined;
  return { answered: { ...produced, requestIds: [], ...lastAnswer(run) } } as unknown as JsonObject;
}

/** Undefined: the operation is a vendor's. */
export function savedAnswer({ task }: Pick<Run, 'task'>): Produced | undefined {
  const answered = task.attempt?.operation?.['answered'];
  return answered === undefined ? undefined : (answered as unknown as Produced);
}
