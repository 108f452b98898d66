import { createTestDatabase, type TestDatabase } from '@mediagate/testkit';
import { type Database, migrate, openDatabase } from '../src';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
}, 60_000);
afterAll(() => home.drop());

const TYPED = { name: 'test.typed', text: 'select $1::bigint as big, $2::text[] as texts' };
const PREPARED = { name: 'test.prepared', text: `select name from pg_prepared_statements where name like 'test.%'` };
const SETTINGS = {
  name: 'test.settings',
  text: `select name, source from pg_settings
    where source = 'client' and name in ('statement_timeout', 'lock_timeout', 'enable_seqscan', 'plan_cache_mode')`,
};

async function on<T>(search: string, use: (database: Database) => Promise<T>): Promise<T> {
  const url = `${home.databaseUrl}${search}`;
  const database = openDatabase({ url, poolSize: 1, statementTimeoutMs: 5000, applicationName: 'pooler-test' });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

const seen = (database: Database) =>
  Promise.all([database.query(TYPED, [2n ** 60n, ['a']]), database.query(PREPARED, []), database.query(SETTINGS, [])]);

it('leaves nothing behind in a session of a pooler: no setting, no statement with a name', async () => {
  const [typed, prepared, settings] = await on('?pgbouncer=true', seen);
  expect(typed).toEqual([{ big: 2n ** 60n, texts: ['a'] }]);
  expect([prepared, settings]).toEqual([[], []]);
});

it.each(['', '?pgbouncer=false'])(
  'plans each statement once, under limits, in a session of its own (%s)',
  async (search) => {
    const [typed, prepared, settings] = await on(search, seen);
    expect(typed).toEqual([{ big: 2n ** 60n, texts: ['a'] }]);
    expect(prepared.length).toBeGreaterThan(0);
    expect(settings).toHaveLength(4);
  },
);

it('refuses to migrate through one, because the lock is held by a session', async () => {
  await expect(migrate(`${home.databaseUrl}?pgbouncer=true`)).rejects.toThrow('name PostgreSQL itself');
});
