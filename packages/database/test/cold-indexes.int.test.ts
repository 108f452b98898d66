import { type OpenTestDatabase, openTestDatabase, runSql } from '@mediagate/testkit';
import type { Database } from '../src';

let home: OpenTestDatabase;
let database: Database;

beforeAll(async () => {
  home = await openTestDatabase(1);
  ({ database } = home);
});

afterAll(() => home.close());

const EMPTY_BYTES = 8192;

async function bytesOf(index: string): Promise<number> {
  const [row] = await runSql<{ bytes: number }>(database, `select pg_relation_size('${index}')::int as bytes`);
  return row?.bytes ?? Number.NaN;
}

describe('what a task writes for nobody', () => {
  it('is no entry in the index of payments, which still refuses one that was booked before', async () => {
    const insert = (reference: string, kind: string, rows: number) =>
      runSql(
        database,
        `insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano, reference)
         select 'acct', 'key', ${kind === 'hold' ? `'task_' || g` : 'null'}, '${kind}', 1, ${reference} from generate_series(1, ${rows}) g`,
      );
    await insert('null', 'hold', 1000);
    expect(await bytesOf('ledger_entries_by_reference')).toBe(EMPTY_BYTES);
    await insert(`'invoice 1'`, 'top_up', 1);
    await expect(insert(`'invoice 1'`, 'top_up', 1)).rejects.toThrow('ledger_entries_by_reference');
  });

  it('is no entry in the index of vendors’ ids, which still refuses the same one of a channel twice', async () => {
    const insert = (externalId: string, rows: number) =>
      runSql(
        database,
        `insert into task_attempts (id, task_id, number, channel_id, protocol, state, external_id)
         select gen_random_uuid(), 'task_' || g, 1, 'channel', 'openai-images', 'accepted', ${externalId} from generate_series(1, ${rows}) g
         on conflict (task_id, number) do update set id = excluded.id, external_id = excluded.external_id`,
      );
    await insert('null', 1000);
    expect(await bytesOf('task_attempts_by_external_id')).toBe(EMPTY_BYTES);
    await insert(`'job 1'`, 1);
    await expect(insert(`'job 1'`, 2)).rejects.toThrow('task_attempts_by_external_id');
  });

  // Another index of these costs each task an entry: first see what reads it.
  it.each([
    ['reservations', ['reservations_account_id_created_at_idx', 'reservations_held', 'reservations_pkey']],
    [
      'webhook_deliveries',
      [
        'webhook_deliveries_account_id_state_task_id_idx',
        'webhook_deliveries_due',
        'webhook_deliveries_due_by_account',
        'webhook_deliveries_failing',
        'webhook_deliveries_pkey',
        'webhook_deliveries_task_id_key',
        'webhook_deliveries_undelivered',
      ],
    ],
  ])('is no index of %s that no statement reads', async (table, indexes) => {
    const found = await runSql<{ name: string }>(
      database,
      `select indexname::text as name from pg_indexes where tablename = '${table}' order by 1`,
    );
    expect(found.map(({ name }) => name)).toEqual(indexes);
  });
});
