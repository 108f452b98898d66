import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prismaOf, runSql } from '@mediagate/testkit';
import { type AuditRun, auditByClock, createFinisher, createSubmitter, taskError } from '../src';
import { type Books, fundedKey, openBooks, submission } from './books';

/** A month of all entries, with none of their sums, and some of them removed. */
const CLOSE_WRONGLY = `insert into closed_months (month, after_entry_id, up_to_entry_id, sealed_to, piece_digests, piece_ends, digest, closed_at, pruned_to)
  select '2020-01-01', 0, max(id), max(id), array['x'::bytea], array[max(id)], 'x', now(), 0 from ledger_entries`;

/**
 * Each break is made with the guards of the database switched off, so that the audit alone has to find it. The name is the
 * invariant that must be reported.
 */
export const BREAKS: Record<string, string> = {
  'account: topped up = its top_up and adjust entries': `update accounts set topped_up_nano = topped_up_nano + 1`,
  'account: held and settled = its reservations': `update accounts set held_nano = held_nano + 1`,
  'key: held and settled = its reservations': `update api_keys set settled_nano = settled_nano + 1`,
  'account: replaying the ledger gives its held and settled': `delete from ledger_entries where kind = 'settle'`,
  'ledger: each balance follows from the one before': `update ledger_entries set balance_after_nano = balance_after_nano + 1 where kind = 'settle'`,
  'ledger: the newest balance is that of the account': `update accounts set topped_up_nano = topped_up_nano + 1`,
  'no balance below zero': `update accounts set topped_up_nano = 0`,
  'key: within its quota, with those that it made': `insert into api_keys (id, account_id, secret_hash, last_four, maker_id, settled_nano) select 'made', account_id, secret_hash, '', id, quota_nano - settled_nano - held_nano + 1 from api_keys`,
  'reservation: one hold entry of its amount': `update ledger_entries set amount_nano = amount_nano - 1 where kind = 'hold'`,
  'reservation: resolved by one entry of the same kind and amount, or held with none': `update ledger_entries set kind = 'settle' where kind = 'refund'`,
  'refund by hand: within what its task was charged': `insert into ledger_entries (account_id, task_id, kind, amount_nano) select account_id, task_id, 'adjust', settled_nano + 1 from reservations where state = 'settled'`,
  'usage: the sums of a day = the reservations they are of': `insert into usage_days (account_id, day, ended_on, key_id, family, model, channel_id, completed, failed, charged_nano, refunded_nano, cost_nano, cost_unknown) values ('a', now(), now(), 'k', '', '', '', 1, 0, 1, 0, 0, 0)`,
  'usage: the units of a day = those of the reservations they are of': `with d as (insert into usage_days (account_id, day, ended_on, key_id, family, model, channel_id, completed, failed, charged_nano, refunded_nano, cost_nano, cost_unknown) values ('a', now(), now(), 'k', '', '', '', 1, 0, 1, 0, 0, 0) returning id) insert into usage_units (day_id, unit, quantity) select id, 'per_image', 1 from d`,
  'usage: what was charged on all days = what the account has settled': `update accounts set settled_nano = settled_nano + 1`,
  'closed month: its entries are those that were sealed': CLOSE_WRONGLY,
  'closed month: its sums are those of its entries': CLOSE_WRONGLY,
  'closed month: its digest is that of the month before, of its pieces and of its sums': `with month as (${CLOSE_WRONGLY}) ${CLOSE_WRONGLY.replace('2020-01', '2020-02')}`,
  'closed month: the newest digest is that of the month before, of its pieces and of its sums': CLOSE_WRONGLY,
  'closed month: removed entries stay removed': `with month as (${CLOSE_WRONGLY.replace('now(), 0', 'now(), max(id)')}) delete from reservations where state = 'settled'`,
  'task: completed if and only if settled, failed if and only if refunded': `update reservations set state = 'settled', settled_nano = 1 where state = 'refunded'`,
  'task: cost is what was settled': `update tasks set cost_nano = 1 where status = 'failed'`,
  'task: its vendors charge what they charge for its attempts': `update reservations set cost_nano = cost_nano + 1 where state = 'settled'`,
  'task: its id is within an hour of its booking': `update reservations set created_at = created_at + interval '61 minutes' where state = 'held'`,
  'reservation: belongs to a task': `delete from tasks where status = 'submitted'`,
  'task: one delivery if it ended with a webhook, none otherwise': `delete from webhook_deliveries`,
  'attempt: accepted means that its upstream id is known': `insert into task_attempts (id, task_id, number, channel_id, protocol, state) select 'a', id, 1, 'c', 'p', 'accepted' from tasks where status = 'submitted'`,
  'attempt: none open on an ended task': `insert into task_attempts (id, task_id, number, channel_id, protocol, state) select 'a', id, 1, 'c', 'p', 'starting' from tasks where status = 'failed'`,
  'idempotency key: points to a task of its key': `update idempotency_keys set task_id = 'task_gone'`,
  'liveness: no task waits beyond its time with nobody at work': `update tasks set deadline_at = now() - interval '5 minutes' where status = 'submitted'`,
  'liveness: no reservation held past its expiry': `update reservations set expires_at = now() - interval '5 minutes' where state = 'held'`,
  'liveness: no callback waits beyond its time': `update webhook_deliveries set next_attempt_at = now() - interval '5 minutes'`,
};

export async function openLivelyBooks(): Promise<Books> {
  const books = await openBooks(3);
  const payer = await fundedKey(books.database, 1000n, { quotaNano: 500n });
  const submit = createSubmitter(books.database);
  const finish = createFinisher(books.database);
  const webhook = 'https://example.com/hook';
  const [waiting, completed, failed] = [
    submission(payer, 10n, { idempotency: { key: 'k', requestHash: Buffer.from('h') } }),
    submission(payer, 20n, { webhook }),
    submission(payer, 30n),
  ];
  await Promise.all([waiting, completed, failed].map(submit));
  const [beganAt, endedAt] = [0, 1];
  const cost = { nano: 7n, origin: 'declared' } as const;
  const call = { channelId: 'c', protocol: 'p', state: 'succeeded', cost, beganAt, endedAt } as const;
  const outcome = { kind: 'completed', costNano: 15n, result: {} } as const;
  await finish({ taskId: completed.taskId, accountId: payer.accountId, fence: 'any', outcome, calls: [call] });
  await finish({
    taskId: failed.taskId,
    accountId: payer.accountId,
    fence: 'any',
    outcome: { kind: 'failed', error: taskError('upstream_error') },
  });
  return books;
}

export async function breakBooks(books: Books, sql: string): Promise<void> {
  const constraints = await runSql<{ sql: string }>(
    books.database,
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as sql
        from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  const statements = [...constraints.map((row) => row.sql), 'set session_replication_role = replica', sql];
  await prismaOf(books.database).$transaction(
    statements.map((text) => prismaOf(books.database).$executeRawUnsafe(text)),
  );
}

/** An audit as of long books: of what was booked since they were sealed. */
export async function auditRecent({ database }: Books, piece?: bigint): Promise<AuditRun> {
  const run = await auditByClock(database, { everyMs: 0, wholeUpTo: -1n, piece });
  if (!run) throw new Error('no audit has ended');
  return run;
}

export const namesIn = ({ violations }: Pick<AuditRun, 'violations'>): string[] =>
  violations.map(({ invariant }) => invariant);

/** The statements that the runbook gives operators. */
export function repairOf(accountId: string): string[] {
  const text = readFileSync(join(__dirname, '../../../docs/runbooks/audit-violation.md'), 'utf8');
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(text) ?? [];
  const statements = block.replaceAll('acct_…', accountId).split(';');
  return statements.filter((statement) => statement.trim() !== '');
}
