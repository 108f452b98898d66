import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, forEachTest, until } from '@mediagate/testkit';
import { Client } from 'pg';
import { migrate } from '../src';
import { diffSchema } from '../src/diff';
import { listMigrations } from '../src/diff/diff-schema';
import { createMigrationAdapter } from '../src/diff/migration-adapter';
import { NO_FILTERS, withSchemaEngine } from '../src/diff/schema-engine';
import { MIGRATIONS_DIRECTORY, readMigrations } from '../src/migrate';

const RELEASED_SHA256 = '4a369dbff52a5b3eacff578732c50e6f835211d3410e1024c99e8ed76543b106';

let directory: string;

const database = forEachTest(createTestDatabase);
beforeEach(async () => {
  await run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  directory = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');
});

afterEach(async () => {
  await rm(directory, { recursive: true });
  await database.drop();
});

async function run(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, name, 'migration.sql'), sql);
}

const BUSY_INDEX = `-- Of a table in use.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "busy_id" ON busy (id);
`;
const VALID = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'busy_id'::regclass`;

/** Keeps what the statement locks, and what it saw, until it is ended. */
async function openTransaction(sql: string): Promise<Client> {
  const client = new Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${sql}`);
  return client;
}

const untilFound = (sql: string) => until(async () => (await run(sql)).length > 0, sql);

describe('migrate', () => {
  it('applies what is missing in the order of names, once, however many processes ask at once', async () => {
    await addMigration('2_second', 'INSERT INTO log VALUES (2)');
    await addMigration('1_first', 'CREATE TABLE log (step int); INSERT INTO log VALUES (1)');
    const answers = await Promise.all([1, 2, 3].map(() => migrate(database.databaseUrl, directory)));
    expect(answers.flatMap((answer) => answer.applied)).toEqual(['1_first', '2_second']);
    expect(await run('SELECT step FROM log')).toEqual([{ step: 1 }, { step: 2 }]);

    await addMigration('3_third', 'INSERT INTO log VALUES (3)');
    expect(await migrate(database.databaseUrl, directory)).toEqual({ applied: ['3_third'] });
    expect(await migrate(database.databaseUrl, directory)).toEqual({ applied: [] });
  });

  it('keeps the history as Prisma does: its engine finds nothing to apply, nothing edited and nothing that failed', async () => {
    await addMigration('1_first', 'CREATE TABLE first (id int)');
    await migrate(database.databaseUrl, directory);
    const migrationsList = await listMigrations(directory);
    const asked = { migrationsList, optInToShadowDatabase: false, filters: NO_FILTERS };
    const found = await withSchemaEngine(createMigrationAdapter(database.databaseUrl), async (engine) => [
      await engine.applyMigrations(asked),
      await engine.diagnoseMigrationHistory(asked),
    ]);
    const nothing = { history: null, failedMigrationNames: [], editedMigrationNames: [] };
    expect(found).toMatchObject([{ appliedMigrationNames: [] }, nothing]);
  });

  it('takes a script whole: semicolons in bodies and literals are not ends of statements', async () => {
    const body = `BEGIN RAISE EXCEPTION 'append-only; never changed'; END`;
    await addMigration(
      '1_guard',
      `CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS $$ ${body}; $$; -- done; really`,
    );
    await migrate(database.databaseUrl, directory);
    expect(await run(`SELECT prosrc FROM pg_proc WHERE proname = 'guard'`)).toEqual([{ prosrc: ` ${body}; ` }]);
  });

  it('leaves nothing of a migration that fails, says why, and applies it once it is mended', async () => {
    await addMigration('1_first', 'CREATE TABLE kept (id int)');
    await addMigration('2_broken', 'CREATE TABLE half (id int); SELECT 1 / 0');
    await expect(migrate(database.databaseUrl, directory)).rejects.toThrow(/division by zero[\s\S]*2_broken/);
    expect(await run(`SELECT to_regclass('kept') AS kept, to_regclass('half') AS half`)).toEqual([
      { kept: 'kept', half: null },
    ]);

    await addMigration('2_broken', 'CREATE TABLE half (id int)');
    expect(await migrate(database.databaseUrl, directory)).toEqual({ applied: ['2_broken'] });
  });

  it('starts a migration again that was cut off before it was committed', async () => {
    await addMigration('1_first', 'CREATE TABLE first (id int)');
    await migrate(database.databaseUrl, directory);
    await addMigration('2_second', 'CREATE TABLE second (id int)');
    await run(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('cut-off', 'any', '2_second')`);
    expect(await migrate(database.databaseUrl, directory)).toEqual({ applied: ['2_second'] });
  });

  it('marks a migration as done in its own transaction, so that it never runs twice', async () => {
    await addMigration('1_first', 'CREATE TABLE first (id int)');
    await addMigration(
      '2_second',
      `CREATE TABLE seen AS SELECT count(*) AS unfinished FROM _prisma_migrations WHERE finished_at IS NULL;
       ALTER TABLE _prisma_migrations ADD COLUMN committed_by xid8;
       CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN NEW.committed_by := coalesce(OLD.committed_by, pg_current_xact_id()); RETURN NEW; END $$;
       CREATE TRIGGER note BEFORE UPDATE ON _prisma_migrations FOR EACH ROW EXECUTE FUNCTION note();
       CREATE TABLE second AS SELECT pg_current_xact_id() AS xact`,
    );
    await migrate(database.databaseUrl, directory);
    expect(
      await run(
        `SELECT 1 AS same FROM second JOIN _prisma_migrations ON committed_by = xact WHERE migration_name = '2_second'`,
      ),
    ).toEqual([{ same: 1 }]);
  });

  it('builds an index while the table is read and written, also when several processes migrate at once', async () => {
    await addMigration('1_table', 'CREATE TABLE busy (id int)');
    await migrate(database.databaseUrl, directory);
    await addMigration('2_index', BUSY_INDEX);
    const reader = await openTransaction('SELECT count(*) FROM busy');
    const migrating = Promise.all([1, 2, 3].map(() => migrate(database.databaseUrl, directory)));
    await untilFound(`SELECT 1 FROM pg_stat_activity WHERE query LIKE '%CONCURRENTLY%' AND wait_event_type = 'Lock'
      AND datname = current_database() AND pid <> pg_backend_pid()`);
    await run(`SET lock_timeout = 2000; INSERT INTO busy VALUES (1); SELECT * FROM busy`);
    const locks = await run(`SELECT DISTINCT mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
      WHERE c.relname = 'busy' AND l.pid <> pg_backend_pid() ORDER BY mode`);
    expect(locks).toEqual([{ mode: 'AccessShareLock' }, { mode: 'ShareUpdateExclusiveLock' }]);
    await reader.end();
    expect((await migrating).flatMap(({ applied }) => applied)).toEqual(['2_index']);
    expect(await run(VALID)).toEqual([{ indisvalid: true }]);
  });

  it('builds an index anew of which a broken build left an invalid one', async () => {
    await addMigration('1_table', 'CREATE TABLE busy (id int)');
    await addMigration('2_index', BUSY_INDEX);
    await migrate(database.databaseUrl, directory);
    await run(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'busy_id'::regclass;
      UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '2_index'`);
    expect(await migrate(database.databaseUrl, directory)).toEqual({ applied: ['2_index'] });
    expect(await run(VALID)).toEqual([{ indisvalid: true }]);
  });

  it('gives up a table that is in use before others wait for long, changes nothing, and can be run again', async () => {
    await addMigration('1_table', 'CREATE TABLE busy (id int)');
    await migrate(database.databaseUrl, directory);
    await addMigration('2_column', 'ALTER TABLE busy ADD COLUMN name text');
    const reader = await openTransaction('SELECT count(*) FROM busy');
    await expect(migrate(database.databaseUrl, directory, { retryWithinMs: 0 })).rejects.toThrow(
      /run it again\n(?:.*\n)*The migration 2_column failed\.$/,
    );
    await reader.end();
    expect(await migrate(database.databaseUrl, directory)).toEqual({ applied: ['2_column'] });
  });

  it('tries a table that is in use again, and lets others use it meanwhile', async () => {
    await addMigration('1_table', 'CREATE TABLE busy (id int); CREATE INDEX busy_id ON busy (id)');
    await migrate(database.databaseUrl, directory);
    await addMigration('2_other', 'CREATE TABLE other (id int)');
    await addMigration('3_dropped', 'DROP INDEX "busy_id"');
    const reader = await openTransaction('SELECT count(*) FROM busy');
    const migrating = migrate(database.databaseUrl, directory);
    await untilFound(
      `SELECT 1 FROM _prisma_migrations WHERE migration_name = '3_dropped' AND logs LIKE '%lock timeout%'`,
    );
    await run('SET lock_timeout = 2000; INSERT INTO busy VALUES (1)');
    await reader.end();
    expect(await migrating).toEqual({ applied: ['2_other', '3_dropped'] });
    expect(await run(`SELECT to_regclass('busy_id') AS dropped`)).toEqual([{ dropped: null }]);
  });

  it('ends with an error where its connection is cut off', async () => {
    await addMigration('1_table', 'CREATE TABLE busy (id int)');
    await migrate(database.databaseUrl, directory);
    await addMigration('2_column', 'ALTER TABLE busy ADD COLUMN name text');
    const reader = await openTransaction('SELECT count(*) FROM busy');
    const refused = expect(migrate(database.databaseUrl, directory)).rejects.toThrow('The migration 2_column failed.');
    await untilFound(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE query LIKE 'ALTER TABLE busy%' AND wait_event_type = 'Lock' AND datname = current_database()`);
    await refused;
    await reader.end();
    expect(await migrate(database.databaseUrl, directory)).toEqual({ applied: ['2_column'] });
  });

  it('waits while a tool of Prisma migrates', async () => {
    await addMigration('1_table', 'CREATE TABLE busy (id int)');
    const tool = await openTransaction('SELECT pg_advisory_lock(72707369)');
    const migrating = migrate(database.databaseUrl, directory);
    await untilFound(`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_try_advisory_lock%'
      AND datname = current_database()`);
    expect(await run(`SELECT to_regclass('_prisma_migrations') AS history`)).toEqual([{ history: null }]);
    await tool.end();
    expect(await migrating).toEqual({ applied: ['1_table'] });
  });

  it('refuses a history that is not the one in the directory', async () => {
    await addMigration('1_first', 'CREATE TABLE first (id int)');
    await migrate(database.databaseUrl, directory);
    await addMigration('1_first', 'CREATE TABLE first (id bigint)');
    await expect(migrate(database.databaseUrl, directory)).rejects.toThrow(/1_first/);
  });

  it('changes nothing in a database with tables of somebody else', async () => {
    await run('CREATE TABLE theirs (id int)');
    await addMigration('1_first', 'CREATE TABLE first (id int)');
    await expect(migrate(database.databaseUrl, directory)).rejects.toThrow('name an empty one: theirs');
    expect(await run(`SELECT to_regclass('_prisma_migrations') AS history, to_regclass('first') AS first`)).toEqual([
      { history: null, first: null },
    ]);
  });

  it('changes nothing in a database of a build from before 0.1.0, and says to start anew', async () => {
    await addMigration('1_earlier', 'CREATE TABLE accounts (id int)');
    await migrate(database.databaseUrl, directory);
    await expect(migrate(database.databaseUrl)).rejects.toThrow('start anew with an empty database');
    expect(await run('SELECT migration_name FROM _prisma_migrations')).toEqual([{ migration_name: '1_earlier' }]);
  });
});

describe('the migrations', () => {
  it('begin with 0.1.0 as it was released: databases know its checksum', async () => {
    const [{ name, sql } = { name: '', sql: '' }] = await readMigrations(MIGRATIONS_DIRECTORY);
    expect(name).toBe('20261128000000_initial');
    expect(createHash('sha256').update(sql).digest('hex')).toBe(RELEASED_SHA256);
  });

  it('never both change a table that there was and build an index on one: the lock of the change would last as long', async () => {
    const offending = (await readMigrations(MIGRATIONS_DIRECTORY)).filter(({ sql }) => {
      const made = [...sql.matchAll(/^CREATE TABLE "?(\w+)/gm)].map(([, table]) => table);
      const built = [...sql.matchAll(/^CREATE (?:UNIQUE )?INDEX[^;]*? ON "?(\w+)/gm)].map(([, table]) => table);
      const changed = [...sql.matchAll(/^ALTER TABLE "?(\w+)/gm)].map(([, table]) => table);
      return built.some((table) => !made.includes(table) && changed.includes(table));
    });
    expect(offending.map(({ name }) => name)).toEqual([]);
  });
});

describe('the schema file', () => {
  it('says what the migrations make', async () => {
    expect(await diffSchema(database.databaseUrl)).toBe('');
  });

  it('is seen to differ when a migration is missing', async () => {
    expect(await diffSchema(database.databaseUrl, { migrationsDirectory: directory })).toContain(
      'CREATE TABLE "accounts"',
    );
  });
});
