import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';

/** The actor of a change, and the request for it. */
export interface ChangeRequest {
  /** `operator:<id of the token>` or `cli:<user>`. */
  actor: string;
  /** Set where a key asks: what it may do on a day is bounded. */
  counted?: { as: 'changes' | 'redeliveries'; owner: string };
  /** The reason, in the operator's own words; kept in the audit log, never shown to callers. */
  reason?: string;
  /** The change is made once under this key of the actor's. */
  idempotency?: { key: string; requestHash: Buffer };
}

/** The row that a change is about, before and after it. Amounts stand in nano-units, as decimal text. */
export interface ChangedRow {
  subject: string;
  /** Null: there was no such row. */
  before: JsonObject | null;
  after: JsonObject;
}

/**
 * A statement that makes a change and its entry in the audit log, which also is the memory of the idempotency key: a second one
 * under the same key breaks a unique index, and nothing of it is written.
 *
 * @param parts CTEs of which one is `changed`, with the columns `subject`, `before` and `after`. The note is `$1`.
 * @param noted which rows of it get an entry; in SQL, over `c` of `changed` and `n` of the note.
 */
export function withNote(parts: string, noted = 'true'): string {
  return `
with ${parts.trim()},
noted as (
  insert into audit_log (actor, action, subject, detail, idempotency_key, request_hash)
  select n.actor, n.action, c.subject,
    jsonb_strip_nulls(jsonb_build_object('reason', n.reason)) || jsonb_build_object('before', c.before, 'after', c.after),
    n.key, decode(n.hash, 'hex')
  from changed c
  cross join jsonb_to_record($1::jsonb) as n(actor text, action text, reason text, key text, hash text)
  where ${noted}
)
select subject, before, after from changed`;
}

/** A change whose method makes it once under its idempotency key, and answers what became of it. */
export type Change<Arguments extends unknown[]> = Statement<[...Arguments, request: ChangeRequest], ChangedRow> & {
  isChange: true;
};

/** @param statement the one with a note, whose last argument is the request. */
export function change<Arguments extends unknown[]>(
  statement: Statement<[...Arguments, request: ChangeRequest], ChangedRow>,
): Change<Arguments> {
  return { ...statement, isChange: true };
}

/** A change that left everything as it was has an entry only as the memory of its idempotency key. */
export const UNLESS_UNCHANGED = 'n.key is not null or c.before is distinct from c.after';

/** The first parameter of a statement with a note. */
export function noteOf(action: string, { actor, reason, idempotency }: ChangeRequest): string {
  const hash = idempotency?.requestHash.toString('hex');
  return JSON.stringify({ actor, action, reason, key: idempotency?.key, hash });
}

export interface EarlierChange extends ChangedRow {
  requestHash: Buffer;
}

/** Finds an earlier change under an idempotency key of the actor. */
export const findChange: Statement<[actor: string, idempotencyKey: string], EarlierChange> = {
  text: `
select subject, detail -> 'before' as before, detail -> 'after' as after, request_hash as "requestHash"
from audit_log where actor = $1 and idempotency_key = $2`,
  values: (actor, idempotencyKey) => [actor, idempotencyKey],
};
