import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;
/** Names of databases have 63 bytes at most. */
const MAX_PREFIX_CHARACTERS = 30;

/**
 * Runs `work` in an empty database beside `databaseUrl` and drops it afterwards. The user of `databaseUrl` must be allowed to
 * create databases.
 */
export async function withShadowDatabase<Result>(
  databaseUrl: string,
  work: (shadowUrl: string) => Promise<Result>,
): Promise<Result> {
  const url = new URL(databaseUrl);
  const name = `${url.pathname.slice(1, 1 + MAX_PREFIX_CHARACTERS)}_shadow_${randomBytes(8).toString('hex')}`;
  url.pathname = `/${name}`;
  return withClient(databaseUrl, async (client) => {
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
    try {
      return await work(url.href);
    } finally {
      await client.query(`DROP DATABASE ${escapeIdentifier(name)} WITH (FORCE)`);
    }
  });
}

export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
