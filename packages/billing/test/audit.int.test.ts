import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prismaOf, runSql } from '@mediagate/testkit';
import { audit, createFinisher, createSubmitter, INVARIANTS, type Submission, taskError } from '../src';
import { type Books, fundedKey, openBooks, submission } from './books';

/**
 * Each break is made with the guards of the database switched off, so that the audit alone has to find it. The name is the
 * invariant that must be reported.
 */
const BREAKS: Record<string, string> = {
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
  'task: completed if and only if settled, failed if and only if refunded': `update reservations set state = 'settled', settled_nano = 1 where state = 'refunded'`,
  'task: cost is what was settled': `update tasks set cost_nano = 1 where status = 'failed'`,
  'task: its vendor charges what it charges for the last attempt': `update reservations set cost_nano = cost_nano + 1 where state = 'settled'`,
  'reservation: belongs to a task': `delete from tasks where status = 'submitted'`,
  'task: one delivery if it ended with a webhook, none otherwise': `delete from webhook_deliveries`,
  'attempt: accepted means that its upstream id is known': `insert into task_attempts (id, task_id, number, channel_id, protocol, state) select 'a', id, 1, 'c', 'p', 'accepted' from tasks where status = 'submitted'`,
  'attempt: none open on an ended task': `insert into task_attempts (id, task_id, number, channel_id, protocol, state) select 'a', id, 1, 'c', 'p', 'starting' from tasks where status = 'failed'`,
  'idempotency key: points to a task of its key': `update idempotency_keys set task_id = 'task_gone'`,
  'liveness: no task waits beyond its time with nobody at work': `update tasks set deadline_at = now() - interval '5 minutes' where status = 'submitted'`,
  'liveness: no reservation held past its expiry': `update reservations set expires_at = now() - interval '5 minutes' where state = 'held'`,
  'liveness: no callback waits beyond its time': `update webhook_deliveries set next_attempt_at = now() - interval '5 minutes'`,
};

async function openLivelyBooks(): Promise<Books> {
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
  await finish({ taskId: completed.taskId, fence: 'any', outcome, calls: [call] });
  await finish({
    taskId: failed.taskId,
    fence: 'any',
    outcome: { kind: 'failed', error: taskError('upstream_error') },
  });
  return books;
}

async function breakBooks(books: Books, sql: string): Promise<void> {
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

describe('the audit', () => {
  it('has a test that breaks each invariant it names', () => {
    expect(Object.keys(BREAKS).sort()).toEqual([...INVARIANTS].sort());
  });

  it('is clean on sound books', async () => {
    const books = await openLivelyBooks();
    expect(await audit(books.database)).toEqual([]);
    await books.close();
  });

  it.each(Object.entries(BREAKS))('finds: %s', async (invariant, sql) => {
    const books = await openLivelyBooks();
    await breakBooks(books, sql);
    const violations = await audit(books.database);
    await books.close();
    expect(violations.map((violation) => violation.invariant)).toContain(invariant);
    expect(violations.every(({ subject, detail }) => subject !== '' && detail !== '')).toBe(true);
  });

  it('takes no entry of 0.1, whose number is drawn before its turn, for a balance that does not follow', async () => {
    const books = await openBooks(3);
    const payer = await fundedKey(books.database, 1000n);
    const [submit, finish] = [createSubmitter(books.database), createFinisher(books.database)];
    const [old, meanwhile, later] = [submission(payer, 10n), submission(payer, 20n), submission(payer, 30n)];
    await Promise.all([old, meanwhile, later].map(submit));
    const complete = ({ taskId }: Submission) =>
      finish({ taskId, fence: 'any', outcome: { kind: 'completed', costNano: 5n, result: {} } });
    await prismaOf(books.database).$transaction(async (transaction) => {
      const [entry, ...rest] = settledBy01(old.taskId);
      await transaction.$executeRawUnsafe(entry);
      await complete(meanwhile);
      for (const statement of rest) await transaction.$executeRawUnsafe(statement);
    });
    expect(await audit(books.database)).toEqual([]);
    await complete(later);
    expect(await audit(books.database)).toEqual([]);

    await breakBooks(books, BREAKS['ledger: each balance follows from the one before'] ?? '');
    await breakBooks(
      books,
      `update ledger_entries set created_at = created_at - interval '1 hour' where balance_after_nano is null`,
    );
    const found = (await audit(books.database)).map(({ invariant }) => invariant);
    expect(found).toContain('ledger: each balance follows from the one before');
    expect(found).toContain('ledger: the newest balance is that of the account');
    await books.close();
  });

  it('is clean again after the repair of the runbook, which adds sums up from the reservations', async () => {
    const books = await openLivelyBooks();
    await breakBooks(
      books,
      'with a as (update accounts set held_nano = 7, settled_nano = 3) update api_keys set held_nano = 1, settled_nano = 2',
    );
    expect((await audit(books.database)).length).toBeGreaterThan(1);
    const [account] = await books.database.account.findMany();
    for (const statement of repairOf(account?.id ?? '')) await prismaOf(books.database).$executeRawUnsafe(statement);
    expect(await audit(books.database)).toEqual([]);
    await books.close();
  });
});

/** What 0.1 wrote at the end of a task, in its order: the entry, and then what the account's lock is for. */
function settledBy01(taskId: string): [entry: string, ...rest: string[]] {
  const ofTask = `where task_id = '${taskId}'`;
  const moved = `held_nano = o.held_nano - r.amount_nano, settled_nano = o.settled_nano + 5 from reservations r where r.task_id = '${taskId}'`;
  return [
    `insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano)
      select account_id, key_id, task_id, 'settle', 5 from reservations ${ofTask}`,
    `update accounts o set ${moved} and o.id = r.account_id`,
    `update api_keys o set ${moved} and o.id = r.key_id`,
    `update reservations set state = 'settled', settled_nano = 5, resolved_at = now() ${ofTask}`,
    `update tasks set status = 'completed', progress = 100, completed_at = now(), cost_nano = 5, result = '{}' where id = '${taskId}'`,
  ];
}

/** The statements that the runbook gives operators. */
function repairOf(accountId: string): string[] {
  const text = readFileSync(join(__dirname, '../../../docs/runbooks/audit-violation.md'), 'utf8');
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(text) ?? [];
  const statements = block.replaceAll('acct_…', accountId).split(';');
  return statements.filter((statement) => statement.trim() !== '');
}
