import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdTransaction, type OpenTestDatabase, openTestDatabase, PATIENCE, runSql } from '@mediagate/testkit';
import { type Database, openDatabase } from '../src';

const WAITING = 200_000;

let home: OpenTestDatabase;
let database: Database;

beforeAll(async () => {
  home = await openTestDatabase(1);
  ({ database } = home);
  await runSql(database, `insert into accounts (id, name, webhook_secret) values ('acct', 'payer', 'whsec_dGVzdA==')`);
  await runSql(
    database,
    `insert into api_keys (id, account_id, secret_hash, last_four, max_concurrent) values ('key', 'acct', '\\x00', 'abcd', 1)`,
  );
  // Its plans are made while no task awaits a slot, and kept.
  await runSql(database, 'set plan_cache_mode = force_generic_plan');
  await admit('other');
  await runSql(
    database,
    `insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
      deadline_at, next_step_at, woken_at, created_at, awaits_key_slot)
     select 'task_' || lpad(g::text, 8, '0'), 'acct', 'key', 'image', 'image', 'model', 'generate', '{}', '{}', 1, 5,
       now() + interval '1 day', now() + interval '1 day', now(), now() - make_interval(secs => ${WAITING} - g), true
     from generate_series(1, ${WAITING}) g`,
  );
});

afterAll(() => home.close());

/** Asks `admit_bookings` for one booking of a key. */
function admit(keyId: string) {
  const fields = JSON.stringify({ ordinal: 1, key_id: keyId, slots: 1, fields: { family: 'image' } });
  const booking = `jsonb_populate_record(null::booking, '${fields}')`;
  return runSql(database, `select cardinality(admitted) as admitted from admit_bookings(array[${booking}])`);
}

it('a booking with another key than that of 200,000 tasks that await a slot reads none of them', async () => {
  const before = await countReads();
  expect(await admit('other')).toEqual([{ admitted: 1 }]);
  expect((await countReads()) - before).toBeLessThan(100);
});

/** The look-up of `hand_over_key_slots`, with its variables as parameters. */
function lookUp(): string {
  const sql = readFileSync(join(__dirname, '../../../prisma/functions/hand_over_key_slots.sql'), 'utf8');
  const [, text = ''] = /ARRAY\(\n([\s\S]*?)\n {2}\)\)/.exec(sql) ?? [];
  return text.replace('wanted_key', '$1').replace('wanted_family', '$2').replace('LIMIT free', 'LIMIT $3');
}

async function explain(statement: string): Promise<string> {
  const rows = await runSql<{ 'QUERY PLAN': string }>(database, `explain (analyze, buffers, timing off) ${statement}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

// Planned as while next to nothing was known of the table, and then as once its rows were counted.
describe.each(['unknown', 'known'])('with 200,000 tasks that await a slot of one key (statistics %s)', (statistics) => {
  it.each(['force_custom_plan', 'force_generic_plan'])('the end of a task reads one of them (%s)', async (mode) => {
    if (statistics === 'known') await runSql(database, 'analyze tasks');
    await runSql(database, `set plan_cache_mode = ${mode}`);
    await runSql(database, 'deallocate all');
    await runSql(database, `prepare look_up (text, text, int) as ${lookUp()}`);
    const plan = await explain(`execute look_up('key', 'image', 1)`);
    expect(plan).toMatch(/Index Scan using tasks_awaiting_key_slot on tasks.*actual rows=1(\.00)? loops=1/);
    expect(plan).not.toMatch(/Rows Removed|Sort/);

    const whole = await explain(`select * from hand_over_key_slots('key', 'image')`);
    expect(whole).toMatch(/actual rows=1(\.00)? loops=1/);
    const [, buffers = 'none'] = /Buffers: shared hit=(\d+)/.exec(whole) ?? [];
    // Planning and the writes to its row and indexes included; 200,000 rows are some 8,000 pages.
    expect(Number(buffers)).toBeLessThan(500);
    await runSql(database, END_RUNNING);
  });
});

const END_RUNNING = `
update tasks set status = 'failed', progress = 100, completed_at = now(), error = '{}' where not awaits_key_slot and status <> 'failed'`;

describe('a look of the dispatcher at one task of each of 500 keys', () => {
  const KEYS = 500;
  let other: Database;
  beforeAll(async () => {
    other = openDatabase({
      url: home.databaseUrl,
      poolSize: 2,
      ...PATIENCE,
      applicationName: 'booking',
    });
    await runSql(
      other,
      `insert into api_keys (id, account_id, secret_hash, last_four, max_concurrent)
       select 'many-' || g, 'acct', '\\x00', 'abcd', 1 from generate_series(1, ${KEYS}) g`,
    );
    await runSql(
      other,
      `insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version,
        reserved_nano, deadline_at, next_step_at)
       select 'task_many_' || g, 'acct', 'many-' || g, 'image', 'image', 'model', 'generate', '{}', '{}', 1, 5,
         now() + interval '1 day', now() from generate_series(1, ${KEYS}) g`,
    );
  });
  afterAll(() => other.close());

  const LOOK = `select * from await_key_slots(array(select 'task_many_' || g from generate_series(1, ${KEYS}) g))`;
  const bookAtOnce = (which: string) => runSql(other, `select id from api_keys where ${which} for update nowait`);

  it('lets every key be booked with meanwhile, while no task is beyond a limit', async () => {
    await holdTransaction(other, async (look) => {
      expect(await look.$queryRawUnsafe(LOOK)).toEqual([]);
      expect(await bookAtOnce(`id like 'many-%'`)).toHaveLength(KEYS);
    });
  });

  it('locks the key alone that has a task beyond its limit', async () => {
    await runSql(other, `update api_keys set max_concurrent = 0 where id = 'many-7'`);
    await holdTransaction(other, async (look) => {
      expect(await look.$queryRawUnsafe(LOOK)).toEqual([{ await_key_slots: 'task_many_7' }]);
      expect(await bookAtOnce(`id like 'many-%' and id <> 'many-7'`)).toHaveLength(KEYS - 1);
      await expect(bookAtOnce(`id = 'many-7'`)).rejects.toThrow();
    });
  });

  it.each([
    ['no task is', 1],
    ['every task is', 0],
  ])('reads the tasks of each key by themselves, where %s beyond the limit', async (_, limit) => {
    await runSql(other, `update api_keys set max_concurrent = ${limit} where id like 'many-%'`);
    const before = await countReads();
    await runSql(database, LOOK);
    // Each task compared with each key is a quarter of a million.
    expect((await countReads()) - before).toBeLessThan(10_000);
  });
});

describe('a key that got a limit of 4 while 30,000 of its tasks were open', () => {
  beforeAll(async () => {
    await runSql(
      database,
      `insert into api_keys (id, account_id, secret_hash, last_four, max_concurrent) values ('late', 'acct', '\\x00', 'abcd', 4)`,
    );
    await runSql(
      database,
      `insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version,
        reserved_nano, deadline_at, next_step_at)
       select 'task_late_' || g, 'acct', 'late', 'image', 'image', 'model', 'generate', '{}', '{}', 1, 5,
         now() + interval '1 day', now() from generate_series(1, 30000) g`,
    );
  });

  describe.each(['unknown', 'known'])('(statistics %s)', (statistics) => {
    beforeAll(async () => {
      if (statistics === 'known') await runSql(database, 'analyze tasks');
    });

    it('has as many of them counted as it has slots', async () => {
      const before = await countReads();
      const [row] = await runSql(database, `select key_slots_used('late', 'image', 'admitted')::int as used`);
      expect(row).toEqual({ used: 4 });
      expect((await countReads()) - before).toBeLessThan(100);
    });

    it.each([
      ['late', 'that use its slots'],
      ['key', 'that await one'],
    ])('tells a caller that submits with the key "%s" of the first 10,000 tasks %s', async (keyId) => {
      const before = await countReads();
      expect(await database.countOpenTasks({ keyId, family: 'image' })).toEqual([{ open: 10_000 }]);
      expect((await countReads()) - before).toBeLessThan(11_000);
    });
  });
});

/** Entries of indexes that were read. A session reports them once a second at most, unless it is asked to; hence one connection. */
async function countReads(): Promise<number> {
  await runSql(database, 'select pg_stat_force_next_flush()::text');
  const sum = 'select sum(idx_tup_read)::int as reads from pg_stat_user_indexes';
  const [row] = await runSql<{ reads: number }>(database, sum);
  return row?.reads ?? Number.NaN;
}
