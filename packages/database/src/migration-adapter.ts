import { randomBytes } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import { Pool } from 'pg';

export interface MigrationAdapter extends SqlMigrationAwareDriverAdapterFactory {
  /** Ends every connection the engine was given; it keeps them, and its locks, until then. */
  close(): Promise<void>;
}

/**
 * Makes the adapter by which the schema engine reaches PostgreSQL. The ready-made adapter differs from the native engine where it
 * matters here, and each difference is put right:
 *
 * - It splits a script at every semicolon, which cuts function bodies and literals in two. Here a script goes to the server
 *   whole, as one simple query, so it is also one transaction: all of a migration or nothing.
 * - Its shadow database is the main one whenever the address is given as a URL. Here it is a database of its own.
 * - It would run CREATE INDEX CONCURRENTLY like any other statement, but PostgreSQL takes that in no transaction. Here a script of
 *   that one statement goes alone, and waits longer for its locks, which nobody queues behind.
 * - It refuses the catalogue's one-byte type, so the engine could not read a database back. Here it is a character.
 *
 * @param afterScript SQL that becomes part of every script's transaction.
 */
export function createMigrationAdapter(databaseUrl: string, afterScript = ''): MigrationAdapter {
  const pools: Pool[] = [];

  async function connect(url: string, closing: string): Promise<SqlDriverAdapter> {
    const pool = new Pool({
      connectionString: url,
      max: 1,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
    });
    pools.push(pool);
    const adapter = await new PrismaPg(pool).connect();
    const perform = adapter['performIO'].bind(adapter);
    const run = async (sql: string) => void (await perform({ sql, args: [], argTypes: [] }));
    adapter.executeScript = async (script) => {
      if (indexBuiltBy(script) === undefined) return run(`${script}\n;${closing}`);
      await run(`SET lock_timeout = ${BUILD_LOCK_TIMEOUT_MS}`);
      await run(script);
      await run(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    };
    readCharacters(adapter);
    return adapter;
  }

  async function connectToShadow(): Promise<SqlDriverAdapter> {
    const name = `mediagate_shadow_${randomBytes(8).toString('hex')}`;
    const main = await connect(databaseUrl, '');
    await main.executeScript(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    const shadow = await connect(url.href, '');
    shadow.dispose = () => main.executeScript(`DROP DATABASE ${name} WITH (FORCE)`);
    return shadow;
  }

  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(databaseUrl, afterScript),
    connectToShadowDb: connectToShadow,
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Every read and write of a table queues behind a migration that waits for its exclusive lock, so it gives up soon. */
const LOCK_TIMEOUT_MS = 1000;
/** A concurrent build waits for each transaction that is older than itself, and reads and writes go on meanwhile. */
export const BUILD_LOCK_TIMEOUT_MS = 600_000;

const BUILDS_INDEX =
  /^(?:\s|--.*\n)*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+"(\w+)"[^;]*;?\s*$/i;

/** The index that a script builds beside reads and writes; undefined for scripts that do anything else. */
export function indexBuiltBy(script: string): string | undefined {
  return BUILDS_INDEX.exec(script)?.[1];
}

/** The adapter knows arrays of the one-byte type but not the type: it is passed in as one and handed on as the other. */
function readCharacters(adapter: PrismaPgAdapter): void {
  const perform = adapter['performIO'].bind(adapter);
  adapter['performIO'] = async (query: SqlQuery) => {
    const result = await perform(query);
    for (const field of result.fields) if (field.dataTypeID === CHAR) field.dataTypeID = CHAR_ARRAY;
    return result;
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const { CharacterArray, Character } = ColumnTypeEnum;
    return { ...result, columnTypes: result.columnTypes.map((type) => (type === CharacterArray ? Character : type)) };
  };
}

type PrismaPgAdapter = Awaited<ReturnType<PrismaPg['connect']>>;

/** Object ids in PostgreSQL's catalogue of `"char"` and `"char"[]`. */
const CHAR = 18;
const CHAR_ARRAY = 1002;
