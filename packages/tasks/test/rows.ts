import { newTaskId, type TaskId, timeOrderedId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { openTestDatabase, runSql } from '@mediagate/testkit';
import type { Claim } from '../src';

export interface TestBooks {
  database: Database;
  /** A second process, as far as PostgreSQL can tell. */
  other: Database;
  close(): Promise<void>;
}

export async function openRows({ poolSize = 6 } = {}): Promise<TestBooks> {
  const { database, another, close } = await openTestDatabase(poolSize);
  return { database, other: another(), close };
}

/** The same with a key, whose tasks the tests insert. */
export async function openRowsOfKey() {
  const rows = await openRows();
  return { ...rows, keyId: await insertKey(rows.database) };
}

export async function insertKey(database: Database, maxConcurrent: number | null = null): Promise<string> {
  const [accountId, keyId] = [`acct_${timeOrderedId()}`, timeOrderedId()];
  await runSql(database, INSERT_KEY, [accountId, keyId, maxConcurrent]);
  return keyId;
}

const INSERT_KEY = `
with account as (insert into accounts (id, name, webhook_secret) values ($1, 'payer', 'whsec_dGVzdA=='))
insert into api_keys (id, account_id, secret_hash, last_four, max_concurrent) values ($2, $1, '\\x00', 'abcd', $3)`;

/** A task as its submission leaves it; columns of `more` stand as given. */
export async function insertTask(
  database: Database,
  keyId: string,
  more: Record<string, unknown> = {},
): Promise<TaskId> {
  const id = newTaskId();
  await runSql(database, INSERT_TASK, [id, keyId]);
  if (Object.keys(more).length > 0) await database.task.update({ where: { id }, data: more });
  return id;
}

/** A task that a worker holds under the fence 7; columns of `more` stand as given. */
export async function insertClaimed(
  database: Database,
  keyId: string,
  more: Record<string, unknown> = {},
): Promise<Claim> {
  const held = { fence: 7, status: 'pending', leaseUntil: secondsFromNow(20), ...more };
  return { id: await insertTask(database, keyId, held), fence: 7 };
}

const INSERT_TASK = `
insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
  deadline_at)
select $1, k.account_id, k.id, 'video', 'video', 'a-model', 'generate', '{"prompt":"a lighthouse"}',
  '{"second":"9007199254740993"}', 1, 5, now() + interval '10 minutes'
from api_keys k where k.id = $2`;

export const ENDED = { status: 'failed', progress: 100, completedAt: new Date(), error: { message: 'no' } };

export const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** The row as it stands. */
export const readTask = (database: Database, id: TaskId) => database.task.findUniqueOrThrow({ where: { id } });
