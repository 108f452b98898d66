import type { Statement } from '@mediagate/database';

/**
 * The function `submit_tasks` (`prisma/functions/submit_tasks.sql`): it locks accounts and keys first and decides in a command
 * of its own, because a single statement would decide on a snapshot that is older than its locks.
 *
 * Parameters: task ids, account ids, key ids, amounts, idempotency keys (or null), request hashes (or null), and the other
 * columns of the task as JSON texts, all arrays of one length; the life of an idempotency key in seconds; how long to wait
 * for a row lock in milliseconds.
 */
export const SUBMIT: Statement = {
  name: 'billing.submit',
  text: 'select * from submit_tasks($1, $2, $3, $4, $5, $6, $7, $8, $9)',
};
