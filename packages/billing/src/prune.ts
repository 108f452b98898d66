import type { Database } from '@mediagate/database';

const PRUNE = {
  name: 'billing.prune_idempotency_keys',
  text: `
delete from idempotency_keys x using (
  select key_id, idempotency_key from idempotency_keys where expires_at <= now() limit $1 for update skip locked
) old
where x.key_id = old.key_id and x.idempotency_key = old.idempotency_key
returning x.task_id`,
};

/** Removes expired idempotency keys, `limit` at most; answers how many. */
export async function pruneIdempotencyKeys(database: Database, limit: number): Promise<number> {
  return (await database.query(PRUNE, [limit])).length;
}
