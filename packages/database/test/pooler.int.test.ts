import { createTestDatabase, PATIENCE, prismaOf, runSql, type TestDatabase } from '@mediagate/testkit';
import { type Database, migrate, openDatabase, warnOfRoleSettings } from '../src';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const PREPARED = 'select name from pg_prepared_statements order by name';
const SETTINGS = `select name, source from pg_settings
    where source = 'client' and name in ('statement_timeout', 'lock_timeout', 'enable_seqscan', 'jit', 'plan_cache_mode')`;

async function on<T>(search: string, use: (database: Database) => Promise<T>): Promise<T> {
  const url = `${home.databaseUrl}${search}`;
  const database = openDatabase({ url, poolSize: 1, ...PATIENCE, applicationName: 'pooler-test' });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

const seen = (database: Database) =>
  Promise.all([
    Promise.all([database.findShortage('no key', 2n ** 60n), database.finishTasks([])]),
    runSql(database, PREPARED),
    runSql(database, SETTINGS),
  ]);

it('leaves nothing behind in a session of a pooler: no setting, no statement with a name', async () => {
  const [found, prepared, settings] = await on('?pgbouncer=true', seen);
  expect(found).toEqual([[], []]);
  expect([prepared, settings]).toEqual([[], []]);
});

it('plans each statement once, without a setting of its own, behind a pooler that keeps names', async () => {
  const [found, prepared, settings] = await on('?pgbouncer=named', seen);
  expect(found).toEqual([[], []]);
  expect(prepared).toEqual([{ name: 'findShortage' }, { name: 'finishTasks' }]);
  expect(settings).toEqual([]);
});

it.each(['', '?pgbouncer=false'])(
  'plans each statement once, under limits, in a session of its own (%s)',
  async (search) => {
    const [found, prepared, settings] = await on(search, seen);
    expect(found).toEqual([[], []]);
    expect(prepared).toEqual([{ name: 'findShortage' }, { name: 'finishTasks' }]);
    expect(settings).toHaveLength(5);
  },
);

it('refuses to migrate through one, because the lock is held by a session', async () => {
  await expect(migrate(`${home.databaseUrl}?pgbouncer=true`)).rejects.toThrow('name PostgreSQL itself');
});

describe('the limits of the role', () => {
  type Warning = [event: string, detail: string | undefined];

  async function warnings(search: string): Promise<Warning[]> {
    const url = `${home.databaseUrl}${search}`;
    const seen: Warning[] = [];
    const logger = { warn: (event: string, { detail }: { detail?: string }) => void seen.push([event, detail]) };
    await on(search, (database) => warnOfRoleSettings({ database, url, logger }));
    return seen;
  }

  it('are missed in one line that names what to run, until the role has them', async () => {
    // In this database alone: other tests use the same role.
    const name = new URL(home.databaseUrl).pathname.slice(1);
    await on('', (database) => runSql(database, `ALTER DATABASE ${name} SET timezone = 'Asia/Tokyo'`));
    const [warning, ...others] = await warnings('?pgbouncer=true');
    expect([warning?.[0], others]).toEqual(['database.role_lacks_settings', []]);
    const commands = warning?.[1]?.match(/ALTER ROLE [^;]+;/g) ?? [];
    expect(commands.map((command) => / SET (\w+) = /.exec(command)?.[1])).toEqual([
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
      'enable_seqscan',
      'jit',
      'plan_cache_mode',
      'TimeZone',
    ]);

    const inDatabase = ` IN DATABASE ${name} SET `;
    await on('', (database) =>
      Promise.all(
        commands.map((command) => prismaOf(database).$executeRawUnsafe(command.replace(' SET ', inDatabase))),
      ),
    );
    expect(await warnings('?pgbouncer=true')).toEqual([]);
  });

  it("are nobody's concern without a pooler", async () => {
    expect(await warnings('')).toEqual([]);
  });
});

it('says that it could not look at the role where the database is away, and goes on', async () => {
  const seen: string[] = [];
  const url = 'postgresql://nobody@127.0.0.1:1/nothing?pgbouncer=true';
  const database = openDatabase({ url, poolSize: 1, ...PATIENCE, applicationName: 'pooler-test' });
  await warnOfRoleSettings({ database, url, logger: { warn: (event) => void seen.push(event) } });
  await database.close();
  expect(seen).toEqual(['database.role_not_checked']);
});
