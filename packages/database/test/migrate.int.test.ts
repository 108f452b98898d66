import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@mediagate/testkit';
import { Client } from 'pg';
import { diffSchema, migrate } from '../src';

let database: TestDatabase;
let directory: string;

beforeEach(async () => {
  database = await createTestDatabase();
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

  it('refuses a history that is not the one in the directory', async () => {
    await addMigration('1_first', 'CREATE TABLE first (id int)');
    await migrate(database.databaseUrl, directory);
    await addMigration('1_first', 'CREATE TABLE first (id bigint)');
    await expect(migrate(database.databaseUrl, directory)).rejects.toThrow(/1_first/);
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
