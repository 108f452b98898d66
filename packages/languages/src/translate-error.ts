import { type JsonObject, storedMessage } from '@mediagate/contracts';
import type { Messages } from './messages';

/**
 * The record of a task with its `error.message` in the language that a caller named; the same record where there is no error,
 * or no text that could name one. Never rejects.
 *
 * @param stored the task's `error` as its row has it.
 */
export async function translateError<T extends { error?: JsonObject }>(
  record: T,
  stored: JsonObject | null,
  { language, messages }: { language: unknown; messages: Messages },
): Promise<T> {
  if (record.error === undefined || stored === null || typeof language !== 'string') return record;
  return { ...record, error: { ...record.error, message: await messages.translate(storedMessage(stored), language) } };
}
