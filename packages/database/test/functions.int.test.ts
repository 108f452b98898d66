import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@mediagate/testkit';
import { Client } from 'pg';
import { diffFunctions } from '../src/diff';

const TWICE = 'CREATE OR REPLACE FUNCTION twice(value int) RETURNS int LANGUAGE sql AS $$ SELECT value * 2 $$;\n';
const GREET = `CREATE OR REPLACE FUNCTION greet() RETURNS text LANGUAGE sql AS $$ SELECT 'hello' $$;\n`;

let database: TestDatabase;
let directory: string;
let directories: { migrationsDirectory: string; functionsDirectory: string };

beforeEach(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'functions-'));
  directories = {
    migrationsDirectory: join(directory, 'migrations'),
    functionsDirectory: join(directory, 'functions'),
  };
  await mkdir(directories.migrationsDirectory);
  await mkdir(directories.functionsDirectory);
  await writeFile(join(directories.migrationsDirectory, 'migration_lock.toml'), 'provider = "postgresql"\n');
  await addMigration('1_first', TWICE + GREET);
  await writeFunction('twice', TWICE);
  await writeFunction('greet', GREET);
});

afterEach(async () => {
  await rm(directory, { recursive: true });
  await database.drop();
});

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(directories.migrationsDirectory, name));
  await writeFile(join(directories.migrationsDirectory, name, 'migration.sql'), sql);
}

async function writeFunction(name: string, sql: string): Promise<void> {
  await writeFile(join(directories.functionsDirectory, `${name}.sql`), sql);
}

const diff = (schemaSql = '') => diffFunctions(database.databaseUrl, { ...directories, schemaSql });

describe('the files of prisma/functions', () => {
  it('say what the migrations make, and no function lacks a file', async () => {
    expect(await diffFunctions(database.databaseUrl)).toBe('');
  });
});

describe('the difference between function files and migrations', () => {
  it('is nothing while they agree, however the text of the file is laid out', async () => {
    await writeFunction('twice', `-- Doubles.\n${TWICE.replace(' RETURNS', '\nRETURNS')}`);
    expect(await diff()).toBe('');
  });

  it('is the whole file of a function with another body, and nothing after the migration made of it', async () => {
    const changed = `-- Doubles.\n${TWICE.replace('value * 2', 'value + value')}`;
    await writeFunction('twice', changed);
    const sql = await diff();
    expect(sql).toBe(changed);
    await addMigration('2_second', sql);
    expect(await diff()).toBe('');
  });

  it.each([
    ['its parameters', TWICE.replace('value int', 'value bigint')],
    ['the names of its parameters', TWICE.replaceAll('value', 'number')],
    ['its result', TWICE.replace('RETURNS int', 'RETURNS bigint')],
  ])('drops a function before it is created where %s changed', async (_what, changed) => {
    await writeFunction('twice', changed);
    const sql = await diff();
    expect(sql).toBe(`DROP FUNCTION twice(value integer);\n${changed}`);
    await addMigration('2_second', sql);
    expect(await diff()).toBe('');
  });

  it('drops a function without a file and creates a new one, which may name what the migration adds', async () => {
    await rm(join(directories.functionsDirectory, 'greet.sql'));
    const added =
      'CREATE OR REPLACE FUNCTION count_new() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM new $$;\n';
    await writeFunction('count_new', added);
    expect(await diff('CREATE TABLE new (id int)')).toBe(`DROP FUNCTION greet();\n${added}`);
  });

  it('is refused for a file that defines another function than its name says', async () => {
    await writeFunction('thrice', `${TWICE.replace('twice', 'thrice')}${TWICE.replace('twice', 'fourfold')}`);
    await expect(diff()).rejects.toThrow('prisma/functions/thrice.sql must define the function thrice and no other');
  });

  it('leaves no database behind, also when a file is refused', async () => {
    await writeFunction('twice', 'CREATE FUNCTION');
    await expect(diff()).rejects.toThrow('syntax error');
    const client = new Client({ connectionString: database.databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      `SELECT datname FROM pg_database WHERE datname LIKE current_database() || '_shadow_%'`,
    );
    await client.end();
    expect(rows).toEqual([]);
  });
});
