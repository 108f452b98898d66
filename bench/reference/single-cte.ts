import type { TaskId } from '@mediagate/contracts';
import { Pool } from 'pg';
import { DEADLINE_MS, RATES } from './submission';

/**
 * One reservation, one prepared statement, one commit: the best that can be done for each request alone. It writes the rows
 * that the product writes: the debit of account and key, task, reservation, ledger entry.
 */
const RESERVE = `
with account as (
  update accounts set held_nano = held_nano + $4
  where id = $2 and topped_up_nano - held_nano - settled_nano >= $4 returning id
),
api_key as (
  update api_keys set held_nano = held_nano + $4
  where id = $3 and revoked_at is null and (select count(*) from account) = 1
    and (quota_nano is null or quota_nano - held_nano - settled_nano >= $4)
  returning id
),
task as (
  insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
    deadline_at)
  select $1, account.id, api_key.id, 'image', 'image', 'imagegen-2.5-flare', 'images.generations', $5::jsonb, $6::jsonb, 1, $4,
    now() + make_interval(secs => $7)
  from account, api_key returning id, account_id, key_id, deadline_at
),
reservation as (
  insert into reservations (task_id, account_id, key_id, amount_nano, expires_at)
  select id, account_id, key_id, $4, deadline_at from task
),
entry as (
  insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano)
  select account_id, key_id, id, 'hold', $4 from task
)
select id from task`;

export interface Reservation {
  taskId: TaskId;
  accountId: string;
  keyId: string;
  amountNano: bigint;
  input: object;
}

/** Resolves with false when the money is not there. */
export function createSingleCte(url: string, poolSize: number): (reservation: Reservation) => Promise<boolean> {
  const pool = new Pool({ connectionString: url, max: poolSize });
  const rates = JSON.stringify(RATES);
  return async ({ taskId, accountId, keyId, amountNano, input }) => {
    const values = [taskId, accountId, keyId, amountNano, JSON.stringify(input), rates, DEADLINE_MS / 1000];
    const { rowCount } = await pool.query({ name: 'reserve', text: RESERVE, values });
    return rowCount === 1;
  };
}
