import { bookable, type Nano, type TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';

/** The values on which the function decides; its `fields` have everything else that the task's row gets. */
export interface TaskToSubmit {
  taskId: TaskId;
  accountId: string;
  keyId: string;
  /** The most the task can cost. */
  reservedNano: Nano;
  idempotency?: { key: string; requestHash: Buffer } | undefined;
}

export interface SubmitOptions {
  idempotencySeconds: number;
  /** How long to wait for the lock of a row. */
  lockWaitMs: number;
}

export interface SubmitRow {
  decision:
    | 'accepted'
    | 'awaits_slot'
    | 'replayed'
    | 'conflict'
    | 'insufficient_account'
    | 'insufficient_key'
    | 'key_unknown'
    | 'account_suspended'
    | 'account_closed'
    | 'continued'
    | 'no_slot'
    | 'undecided';
  earlier_task_id: TaskId | null;
  earlier_warnings: string[] | null;
  /** Money available at the decision to the account or key that had too little; else null. */
  available_nano: Nano | null;
  /** Money held of that account or key; for an accepted task, the money held for it. */
  held_nano: Nano | null;
}

type SubmitArguments = [items: readonly TaskToSubmit[], fields: readonly string[], options: SubmitOptions];

const BOOK_TASKS = `book_tasks($1, $2, $3, $4, $5, $6, ${jsonTexts('$7')}, $8, $9)`;

/**
 * The function `book_tasks` (`prisma/functions/book_tasks.sql`): it locks accounts and keys first and decides in a command
 * of its own, because a single statement would decide on a snapshot that is older than its locks. Rows are in the order of
 * the items.
 *
 * @param fields of each item, the other columns of its task as a JSON text
 */
export const submitTasks: Statement<SubmitArguments, SubmitRow> = {
  byPrisma: true,
  text: `select * from ${BOOK_TASKS}`,
  values: valuesOf,
};

/**
 * The same without waiting for the disk: a crash of PostgreSQL takes along what it held in the half second before. It is for tasks without an
 * idempotency key that their submitter ends: it finds them gone then. The settlement waits for the disk, and so does all that was written before it.
 */
export const holdTasks: Statement<SubmitArguments, SubmitRow> = {
  byPrisma: true,
  text: `select b.* from (select set_config('synchronous_commit', 'off', true)) as commits, ${BOOK_TASKS} as b`,
  values: valuesOf,
};

function valuesOf(
  items: readonly TaskToSubmit[],
  fields: readonly string[],
  { idempotencySeconds, lockWaitMs }: SubmitOptions,
) {
  return [
    items.map((item) => item.taskId),
    items.map((item) => item.accountId),
    items.map((item) => item.keyId),
    items.map((item) => bookable(item.reservedNano)),
    items.map((item) => item.idempotency?.key ?? null),
    items.map((item) => item.idempotency?.requestHash ?? null),
    joinJsonTexts(fields),
    idempotencySeconds,
    lockWaitMs,
  ];
}

/** U+001E, the record separator. JSON escapes every control character, so that it stands in no JSON text. */
const SEPARATOR = '\u001e';

/**
 * JSON texts as one parameter, which `jsonTexts` makes an array of again. In the literal of an array every quote would be escaped, here and
 * once more for the server to undo.
 */
function joinJsonTexts(texts: readonly string[]): string {
  return texts.join(SEPARATOR);
}

/** SQL: the `text[]` of a parameter that `joinJsonTexts` made. */
function jsonTexts(parameter: `$${number}`): string {
  return `string_to_array(${parameter}, E'\\x1e')`;
}
