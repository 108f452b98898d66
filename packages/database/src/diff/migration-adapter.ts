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
 * - It splits a script at every semicolon, which cuts function bodies and literals in two. Here a script goes to the server whole.
 * - Its shadow database is the main one whenever the address is given as a URL. Here it is a database of its own.
 * - It refuses the catalogue's one-byte type, so the engine could not read a database back. Here it is a character.
 */
export function createMigrationAdapter(databaseUrl: string): MigrationAdapter {
  const pools: Pool[] = [];

  async function connect(url: string): Promise<SqlDriverAdapter> {
    const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    pools.push(pool);
    const adapter = await new PrismaPg(pool).connect();
    const perform = adapter['performIO'].bind(adapter);
    adapter.executeScript = async (sql) => void (await perform({ sql, args: [], argTypes: [] }));
    readCharacters(adapter);
    return adapter;
  }

  async function connectToShadow(): Promise<SqlDriverAdapter> {
    const name = `mediagate_shadow_${randomBytes(8).toString('hex')}`;
    const main = await connect(databaseUrl);
    await main.executeScript(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    const shadow = await connect(url.href);
    shadow.dispose = () => main.executeScript(`DROP DATABASE ${name} WITH (FORCE)`);
    return shadow;
  }

  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(databaseUrl),
    connectToShadowDb: connectToShadow,
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

const CONNECT_TIMEOUT_MS = 10_000;

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
