import type { TaskId } from '@mediagate/contracts';
import { forAllTests, runSql } from '@mediagate/testkit';
import { listTasks, type TaskQuery } from '../src';
import { insertKey, openRows } from './rows';

const TASKS = 6000;
const LIMIT = 20;

let accountId: string;
/** A key of the account that has made one task, older than all others. */
const ownKeyId = 'sibling';

const rows = forAllTests(() => openRows({ poolSize: 1 }));
beforeAll(async () => {
  ({ accountId } = await rows.database.apiKey.findUniqueOrThrow({ where: { id: await insertKey(rows.database) } }));
  for (const statement of FILL) await runSql(rows.database, statement, [accountId]);
  // As autovacuum does once a tenth of a table has changed; plans are made anew then.
  await runSql(rows.database, 'analyze');
});

const taskId = (index: number | string) => `'task_' || lpad((${index})::text, 26, '0')`;

/** Each of the filters finds a full page among six thousand tasks, but the idempotency key, which one task has. */
const FILL = [
  `insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
     deadline_at, parent_task_id, metadata, webhook, status, progress, completed_at, result, error, cost_nano)
   select ${taskId('i')}, k.account_id, k.id, 'image', 'image', 'model-' || i % 3, 'generate', '{}', '{}', 1, 5, now(),
     case when i % 60 = 0 then ${taskId(1)} end, jsonb_build_object('team', 'team-' || i % 4),
     case when i % 100 = 1 then 'https://callbacks.example' end, s.status, 100, case when s.status <> 'submitted' then now() end, case s.status when 'completed' then '{}'::jsonb end,
     case s.status when 'failed' then '{}'::jsonb end, case when s.status <> 'submitted' then 0 end
   from api_keys k, generate_series(1, ${TASKS}) i, lateral (
     select case i % 50 when 0 then 'failed' when 1 then 'submitted' else 'completed' end as status
   ) s
   where k.account_id = $1`,
  `insert into task_labels (account_id, label_hash, task_id)
   select t.account_id, task_label_hashes(t.metadata), t.id from tasks t where t.account_id = $1`,
  `insert into webhook_deliveries (id, task_id, account_id, url, state)
   select 'delivery_' || i, ${taskId('i')}, $1, 'https://callbacks.example', case i % 100 when 7 then 'pending' else 'delivered' end
   from generate_series(1, ${TASKS}, 2) i where i % 50 <> 1`,
  `insert into idempotency_keys (key_id, idempotency_key, request_hash, task_id, expires_at)
   select k.id, 'once', '\\x00', ${taskId(17)}, now() + interval '1 hour' from api_keys k where k.account_id = $1`,
  `with key as (
     insert into api_keys (id, account_id, secret_hash, last_four, scope) values ('${ownKeyId}', $1, '\\x00', 'abcd', 'own') returning id
   )
   insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano, deadline_at,
     metadata, status, progress, completed_at, result, cost_nano)
   select ${taskId(0)}, $1, key.id, 'image', 'image', 'model-1', 'generate', '{}', '{}', 1, 5, now(), '{"team": "team-2"}', 'completed', 100,
     now(), '{}', 0
   from key`,
];

const FILTERS: [name: string, filter: Partial<TaskQuery>, found: number][] = [
  ['none', {}, LIMIT],
  ['a cursor', { before: `task_${'3000'.padStart(26, '0')}` }, LIMIT],
  ['status completed', { status: 'completed' }, LIMIT],
  ['status failed', { status: 'failed' }, LIMIT],
  ['status submitted', { status: 'submitted' }, LIMIT],
  ['family', { family: 'image' }, LIMIT],
  ['model', { model: 'model-1' }, LIMIT],
  ['time', { createdFrom: new Date(0), createdBefore: new Date('2100-01-01') }, LIMIT],
  ['parent', { parentTaskId: `task_${'1'.padStart(26, '0')}` as TaskId }, LIMIT],
  ['metadata', { metadata: { team: 'team-2' } }, LIMIT],
  ['metadata and status', { metadata: { team: 'team-2' }, status: 'completed' }, LIMIT],
  ['callback', { callbackStates: ['delivered'] }, LIMIT],
  ['callback that is pending', { callbackStates: ['pending'] }, LIMIT],
  ['idempotency key', { idempotencyKey: 'once' }, 1],
];

/** Rows that a page may read of tables and indexes, for the twenty that it shows. */
const READ_MAX_ROWS = 30 * LIMIT;

/** Beliefs of the planner about the tasks. */
const BELIEFS: [name: string, statements: string[]][] = [
  ['as it has counted them', []],
  [
    'in a table that changes all the time',
    [`update pg_class set relallvisible = 0 where relnamespace = 'public'::regnamespace`],
  ],
  ['one of each account', ['alter table tasks alter account_id set (n_distinct = -1)', 'analyze tasks']],
  ['all of one account', ['alter table tasks alter account_id set (n_distinct = 1)', 'analyze tasks']],
  [
    'without statistics',
    [`delete from pg_statistic where starelid in ('tasks'::regclass, 'webhook_deliveries'::regclass)`],
  ],
];
const PLANS = ['force_generic_plan', 'force_custom_plan'];
const CASES = BELIEFS.flatMap(([name, statements]) => PLANS.map((plans) => ({ name, statements, plans })));

describe.each(CASES)('a page of tasks, planned $name ($plans)', ({ statements, plans }) => {
  beforeAll(async () => {
    for (const statement of statements) await runSql(rows.database, statement);
    await runSql(rows.database, `set plan_cache_mode = ${plans}`);
    await runSql(rows.database, 'discard plans');
  });
  afterAll(() => runSql(rows.database, 'set plan_cache_mode = force_generic_plan'));

  it.each(FILTERS)('by %s reads few rows, however many tasks there are', async (_name, filter, found) => {
    const before = await countReads();
    const page = await listTasks(rows.database, { accountId, ownKeyId: null, limit: LIMIT, ...filter });
    expect(page.rows).toHaveLength(found);
    expect((await countReads()) - before).toBeLessThan(READ_MAX_ROWS);
  });
});

it.each<[string, Partial<TaskQuery>]>([
  ['without a filter', {}],
  ['by metadata and status', { metadata: { team: 'team-2' }, status: 'completed' }],
])(
  'a page of a key that sees its own work alone reads few rows %s, however many tasks its account has',
  async (_name, filter) => {
    const before = await countReads();
    const { rows: found } = await listTasks(rows.database, { accountId, ownKeyId, limit: LIMIT, ...filter });
    expect(found.map(({ keyId }) => keyId)).toEqual([ownKeyId]);
    expect((await countReads()) - before).toBeLessThan(READ_MAX_ROWS);
  },
);

describe('a key that has made a thousand keys with twenty tasks each', () => {
  const maker = 'maker';
  beforeAll(async () => {
    for (const statement of FILL_KEYS) await runSql(rows.database, statement, [accountId]);
    await runSql(rows.database, 'analyze');
  });

  it('lists what it sees to the end, newest first and each task once, whatever keys were revoked since', async () => {
    const filter = { accountId, ownKeyId: maker, limit: 100, family: 'video' as const };
    const [listed, pages]: [string[], number[]] = [[], []];
    const first = `task_${'12500'.padStart(26, '0')}`;
    let before: string | undefined = first;
    do {
      const page = await listTasks(rows.database, { ...filter, before });
      listed.push(...page.rows.map(({ id }) => id));
      pages.push(page.rows.length);
      before = page.next;
    } while (before !== undefined && pages.length < 500);
    const made = await rows.database.task.findMany({
      where: { family: 'video', id: { lt: first } },
      orderBy: { id: 'desc' },
    });
    expect(listed).toEqual(made.map(({ id }) => id));
  });

  it.each<[string, Partial<TaskQuery>]>([
    ['without a filter', {}],
    ['by a filter that nothing meets', { status: 'failed' }],
  ])('has pages that read a few rows of each key %s', async (_name, filter) => {
    const before = await countReads();
    await listTasks(rows.database, { accountId, ownKeyId: maker, limit: LIMIT, ...filter });
    expect((await countReads()) - before).toBeLessThan(KEYS * 15);
  });
});

const KEYS = 1000;
const FILL_KEYS = [
  `insert into api_keys (id, account_id, secret_hash, last_four, scope) values ('maker', $1, '\\x00', 'abcd', 'own')`,
  `insert into api_keys (id, account_id, secret_hash, last_four, scope, maker_id)
   select 'made-' || i, $1, '\\x00', 'abcd', 'own', 'maker' from generate_series(1, ${KEYS - 1}) i`,
  `insert into api_keys (id, account_id, secret_hash, last_four, scope, maker_id, created_at, revoked_at)
   select 'revoked-' || i, $1, '\\x00', 'abcd', 'own', 'maker', now() + interval '1 minute', now() from generate_series(1, 100) i`,
  `insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano, deadline_at,
     status, progress, completed_at, result, cost_nano)
   select ${taskId('10000 + n * 1000 + i')}, $1, 'made-' || i, case when (n * 1000 + i) % 400 = 0 then 'video' else 'image' end, 'image', 'model-1',
     'generate', '{}', '{}', 1, 5, now(), 'completed', 100, now(), '{}', 0
   from generate_series(1, ${KEYS - 1}) i, generate_series(0, 19) n`,
];

async function countReads(): Promise<number> {
  // A session reports what it read once a second at most, unless it is asked to; hence the one connection.
  await runSql(rows.database, 'select pg_stat_force_next_flush()::text');
  const [row] = await runSql<{ reads: number }>(rows.database, READS);
  return row?.reads ?? Number.NaN;
}

const READS = `
select ((select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes))::int as reads`;
