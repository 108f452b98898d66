import type { TaskId } from '@mediagate/contracts';
import { COST_NANO, DEADLINE_MS, RATES } from './submission';

export interface NamedStatement {
  name: string;
  text: string;
}

/** The account and the key that pay, and how much each task reserves. */
export interface Owner {
  accountId: string;
  keyId: string;
  reservedNano: bigint;
}

/** The two statements of the product that callers wait for most, as plain texts: every door can take them. */
export const SUBMIT: NamedStatement = {
  name: 'bench.submit',
  text: 'select * from submit_tasks($1, $2, $3, $4, $5, $6, $7, $8, $9)',
};

export const READ: NamedStatement = {
  name: 'bench.read',
  text: `
select t.id, t.account_id as "accountId", t.key_id as "keyId", t.family, t.kind, t.model, t.operation, t.status, t.progress,
  t.warnings, t.webhook, t.language, t.parent_task_id as "parentTaskId", t.reserved_nano as "reservedNano",
  t.cost_nano as "costNano", t.usage, t.result, t.error, t.created_at as "createdAt", t.started_at as "startedAt",
  t.completed_at as "completedAt", t.deadline_at as "deadlineAt", t.fence
from tasks t where t.id = any($1::text[])`,
};

/** Reads the statements prepared on the connection, and how often PostgreSQL used each one's generic plan or planned it anew. */
export const PLANS: NamedStatement = {
  name: 'bench.plans',
  text: `select name, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
    where name in ('bench.submit', 'bench.read')`,
};

const IDEMPOTENCY_SECONDS = 86_400;
const LOCK_WAIT_MS = 2000;
const INPUT = { prompt: 'x'.repeat(250), size: '1024x1024', quality: 'low', n: 1, output_format: 'png' };
/** The fields of each task, as the product sends them. */
export const FIELDS = JSON.stringify({
  family: 'image',
  kind: 'image',
  model: 'imagegen-2.5-flare',
  operation: 'images.generations',
  input: INPUT,
  rates: RATES,
  catalogueVersion: 1,
  warnings: [],
  requestId: 'bench',
  deadlineMs: DEADLINE_MS,
});

export function submissionValues(owner: Owner, taskIds: readonly TaskId[]): unknown[] {
  const each = <Value>(value: Value) => taskIds.map(() => value);
  const { accountId, keyId, reservedNano } = owner;
  const items = [taskIds, each(accountId), each(keyId), each(reservedNano), each(null), each(null), each(FIELDS)];
  return [...items, IDEMPOTENCY_SECONDS, LOCK_WAIT_MS];
}

export function ownerOf(account: { accountId: string; keyId: string }): Owner {
  return { ...account, reservedNano: COST_NANO };
}
