import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { MIGRATIONS_DIRECTORY, migrate } from '../migrate';
import { withClient, withShadowDatabase } from './shadow-database';

const FUNCTIONS_DIRECTORY = join(__dirname, '../../../../prisma/functions');
/** Where the functions of the files are created, beside those of the migrations in `public`. */
const WANTED_SCHEMA = 'wanted';

export interface DiffFunctionsOptions {
  migrationsDirectory?: string;
  functionsDirectory?: string;
  /** SQL by which the same migration changes tables before: functions may name new columns. */
  schemaSql?: string;
}

/**
 * The SQL that leads from the functions that the migrations make to those of `prisma/functions`; empty when they agree. A file
 * `<name>.sql` defines the function `<name>` and no other. Replays the migrations in a database of its own beside
 * `databaseUrl`, so that user must be allowed to create one.
 *
 * A function whose parameters or result changed is dropped first: processes of the release before cannot call it any more.
 *
 * @throws Error for a file that does not define the function of its name, or that PostgreSQL refuses.
 */
export async function diffFunctions(databaseUrl: string, options: DiffFunctionsOptions = {}): Promise<string> {
  const {
    migrationsDirectory = MIGRATIONS_DIRECTORY,
    functionsDirectory = FUNCTIONS_DIRECTORY,
    schemaSql = '',
  } = options;
  const files = await readFunctionFiles(functionsDirectory);
  return withShadowDatabase(databaseUrl, async (shadowUrl) => {
    await migrate(shadowUrl, migrationsDirectory);
    return withClient(shadowUrl, async (client) => {
      await client.query(schemaSql);
      const migrated = await readFunctions(client, 'public');
      const wanted = await createWanted(client, files);
      return [...dropsOfFileless(migrated, files), ...changesOf(files, migrated, wanted)].join('\n');
    });
  });
}

interface FunctionFile {
  name: string;
  text: string;
}

interface DatabaseFunction {
  name: string;
  parameters: string;
  result: string;
  definition: string;
}

async function readFunctionFiles(directory: string): Promise<FunctionFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name: name.slice(0, -'.sql'.length),
      text: await readFile(join(directory, name), 'utf8'),
    })),
  );
}

async function createWanted(client: Client, files: readonly FunctionFile[]): Promise<DatabaseFunction[]> {
  await client.query(`CREATE SCHEMA ${WANTED_SCHEMA}; SET search_path = ${WANTED_SCHEMA}, public`);
  for (const { name, text } of files) {
    const before = (await readFunctions(client, WANTED_SCHEMA)).length;
    await client.query(text);
    const made = await readFunctions(client, WANTED_SCHEMA);
    if (made.length !== before + 1 || !made.some((one) => one.name === name)) {
      throw new Error(`prisma/functions/${name}.sql must define the function ${name} and no other.`);
    }
  }
  return readFunctions(client, WANTED_SCHEMA);
}

async function readFunctions(client: Client, schema: string): Promise<DatabaseFunction[]> {
  const { rows } = await client.query<DatabaseFunction>(
    `SELECT p.proname AS name, pg_get_function_identity_arguments(p.oid) AS parameters,
       pg_get_function_result(p.oid) AS result, pg_get_functiondef(p.oid) AS definition
     FROM pg_proc p WHERE p.pronamespace = $1::regnamespace ORDER BY p.proname, parameters`,
    [schema],
  );
  return rows.map((row) => ({ ...row, definition: row.definition.replace(` ${schema}.`, ' ') }));
}

function dropsOfFileless(migrated: readonly DatabaseFunction[], files: readonly FunctionFile[]): string[] {
  return migrated.filter(({ name }) => !files.some((file) => file.name === name)).map(dropOf);
}

function changesOf(
  files: readonly FunctionFile[],
  migrated: readonly DatabaseFunction[],
  wanted: readonly DatabaseFunction[],
): string[] {
  return files.flatMap(({ name, text }) => {
    const now = wanted.find((one) => one.name === name);
    const before = migrated.filter((one) => one.name === name);
    if (before.length === 1 && before[0]?.definition === now?.definition) return [];
    const outdated = before.filter((one) => one.parameters !== now?.parameters || one.result !== now?.result);
    return [...outdated.map(dropOf), text];
  });
}

function dropOf({ name, parameters }: DatabaseFunction): string {
  return `DROP FUNCTION ${name}(${parameters});`;
}
