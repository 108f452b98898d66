import type { Statement } from '../../statement';

/** A row for each expired key that was removed. */
export const pruneIdempotencyKeys: Statement<[limit: number], { task_id: string }> = {
  text: `
with old as materialized (
  select key_id, idempotency_key from idempotency_keys where expires_at <= now() limit $1 for update skip locked
)
delete from idempotency_keys x using old
where x.key_id = old.key_id and x.idempotency_key = old.idempotency_key
returning x.task_id`,
  values: (limit) => [limit],
};
