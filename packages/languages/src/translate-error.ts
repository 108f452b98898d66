import type { JsonObject } from '@mediagate/contracts';
import type { Messages } from './messages';

/**
 * The record with its `error.message` in the language that a caller named; the same record where there is no error, or no
 * text that could name one. Never rejects.
 */
export async function translateError<T extends { error?: JsonObject }>(
  record: T,
  language: unknown,
  messages: Messages,
): Promise<T> {
  const message = record.error?.['message'];
  if (typeof message !== 'string' || typeof language !== 'string') return record;
  return { ...record, error: { ...record.error, message: await messages.translate(message, language) } };
}
