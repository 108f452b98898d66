import { newTaskId, type TaskId } from '@mediagate/contracts';
import { type Database, openDatabase } from '@mediagate/database';
import { forAllTests, PATIENCE, runSql, until } from '@mediagate/testkit';
import {
  audit,
  auditByClock,
  createEarlierFinder,
  createFinisher,
  createSubmitter,
  readMargin,
  taskError,
  topUp,
} from '../src';
import { fundedKey, openBooks, submission } from './books';

const books = forAllTests(openBooks);

/** PostgreSQL counts what a connection has done once that is closed, which takes longer than to ask for it. */
async function whileCounted(work: (database: Database) => Promise<void>): Promise<void> {
  const options = { poolSize: 1, ...PATIENCE, applicationName: 'plans-test' };
  const database = openDatabase({ url: books.databaseUrl, ...options });
  await work(database);
  await database.close();
  const text = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'plans-test'`;
  await until(async () => (await runSql(books.database, text)).length === 0, 'the connection is gone');
}

/** PostgreSQL may count the earlier work of a connection seconds later, unless the connection ends. */
async function forgetCounts(): Promise<void> {
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await runSql(books.database, `select pg_terminate_backend(pid) ${others}`);
  await until(async () => (await runSql(books.database, `select pid ${others}`)).length === 0, 'the others are gone');
  await runSql(books.database, 'select pg_stat_force_next_flush()::text as flush');
  await runSql(books.database, 'select pg_stat_reset()::text as reset');
}

interface Use {
  name: string;
  scans: bigint;
  reads: bigint;
}

/** Indexes that were used, and tables that were read without one. */
async function uses(): Promise<Use[]> {
  const text = `
    select indexrelname as name, idx_scan as scans, idx_tup_read as reads from pg_stat_user_indexes where idx_scan > 0
    union all select relname, seq_scan, seq_tup_read from pg_stat_user_tables where seq_scan > 0`;
  return await runSql(books.database, text);
}

it('submissions and ends look up what they name, and plans made while nothing was there stay so', async () => {
  const payer = await fundedKey(books.database, 1000n);
  await forgetCounts();
  await whileCounted(async (database) => {
    const [submit, finish, findEarlier] = [
      createSubmitter(database),
      createFinisher(database),
      createEarlierFinder(database),
    ];
    const refund = (taskId: TaskId) =>
      finish({
        taskId,
        accountId: payer.accountId,
        fence: 0,
        outcome: { kind: 'failed', error: taskError('upstream_error') },
      });
    const keyed = (round: number) => ({ key: `key-${round}`, requestHash: Buffer.from('hash') });
    // Their plans are made now.
    expect(await refund(newTaskId())).toMatchObject({ won: false });
    expect(await findEarlier({ keyId: payer.keyId, ...keyed(0) })).toBeUndefined();
    for (let round = 0; round < 100; round += 1) {
      const item = submission(payer, 1n, { idempotency: keyed(round) });
      expect(await submit(item)).toEqual({ kind: 'accepted' });
      expect(await findEarlier({ keyId: payer.keyId, ...keyed(round) })).toMatchObject({ taskId: item.taskId });
      if (round >= 90) expect(await refund(item.taskId)).toMatchObject({ won: true });
    }
  });
  const used = await uses();
  // Every other index is one of all that is open, due or expired, and as long as that.
  expect(used.filter(({ name }) => !/_(pkey|task_id_number_key)$/.test(name))).toEqual([]);
  expect(used.map(({ name }) => name)).toEqual(expect.arrayContaining(['tasks_pkey', 'idempotency_keys_pkey']));
  // One version of a row for each look, or the two that a change leaves.
  expect(used.filter(({ scans, reads }) => reads > 2n * scans)).toEqual([]);
});

it('a report of the margin reads the sums of its days, the reservations of its time that are in none, and what was refunded by hand', async () => {
  await forgetCounts();
  await whileCounted(async (database) => {
    const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) };
    const report = await readMargin(database, { ...range, groupBy: ['day', 'vendor'], vendors: new Map() });
    expect(report).toMatchObject({ kind: 'report', total: { tasks: 100, failed: 10, costUnknown: 0 } });
  });
  const names = (await uses()).map(({ name }) => name);
  expect(names).toContain('reservations_pkey');
  const ofSums = ['usage_days_day_idx', 'usage_progress', 'closed_months_pkey'];
  expect(['reservations_pkey', 'ledger_entries_refunds_by_hand', ...ofSums]).toEqual(expect.arrayContaining(names));
});

it('an audit reads an entry a few times, however many accounts have none', async () => {
  const { accountId } = await fundedKey(books.database, 0n);
  await runSql(
    books.database,
    `
    with others as (insert into accounts (id, name, webhook_secret) select 'acct_' || i, 'x', 's' from generate_series(1, 1000) i),
    funded as (update accounts set topped_up_nano = 2000 where id = '${accountId}')
    insert into ledger_entries (account_id, kind, amount_nano, balance_after_nano)
    select '${accountId}', 'top_up', 1, i from generate_series(1, 2000) i order by i`,
  );
  await runSql(books.database, 'analyze');
  await forgetCounts();
  await whileCounted(async (database) => {
    expect(await audit(database)).toEqual([]);
    expect(await auditByClock(database, { everyMs: 0, wholeUpTo: -1n })).toMatchObject({ violations: [] });
  });
  const reads = (await uses()).filter(({ name }) => name.startsWith('ledger_entries')).map((use) => Number(use.reads));
  expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThan(100_000);
});

it('an audit looks up the units of each day, also where statistics know of no day', async () => {
  const days = `insert into usage_days (id, account_id, day, ended_on, key_id, family, model, channel_id, completed, failed, charged_nano,
      refunded_nano, cost_nano, cost_unknown)
    select -i, 'acct_none', '2026-01-01', '2026-01-01', 'key_' || i, '', '', '', 0, 0, 0, 0, 0, 0 from generate_series(1, 1000) i`;
  const units = `insert into usage_units (day_id, unit, quantity) select -i, 'images', 1 from generate_series(1, 1000) i`;
  const removals = ['delete from usage_units where day_id < 0', 'delete from usage_days where id < 0'];
  // As if the tables were analysed while the first sums are written: they have pages, and no row that anybody sees.
  for (const text of [days, units, ...removals, 'analyze usage_days', 'analyze usage_units', days, units]) {
    await runSql(books.database, text);
  }
  await forgetCounts();
  let violations: unknown[] = [];
  await whileCounted(async (database) => {
    violations = await audit(database);
  });
  const reads = (await uses()).filter(({ name }) => name.startsWith('usage_')).map((use) => Number(use.reads));
  for (const text of [...removals, 'analyze usage_days', 'analyze usage_units']) await runSql(books.database, text);
  expect(violations).toContainEqual(expect.objectContaining({ subject: 'acct_none' }));
  expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThan(20_000);
});

it('the audit by the clock reads what was booked since the books were sealed, and of what is sealed next to nothing', async () => {
  const clock = { everyMs: 0, wholeUpTo: -1n };
  const { accountId } = await fundedKey(books.database, 0n);
  // A seal goes no further than the oldest open transaction of the whole server, other databases' included.
  for (let sealed = false; !sealed; ) {
    await auditByClock(books.database, clock);
    const [{ sealedTo, newest } = { sealedTo: 0n, newest: 1n }] = await books.database.readSeal();
    sealed = sealedTo === newest;
  }
  await topUp(books.database, { accountId, amountNano: 1n });
  await forgetCounts();
  await whileCounted(async (database) => {
    expect(await auditByClock(database, clock)).toMatchObject({ violations: [], whole: false });
  });
  const reads = (await uses()).filter(({ name }) => name.startsWith('ledger_entries')).map((use) => Number(use.reads));
  expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThan(200);
});
