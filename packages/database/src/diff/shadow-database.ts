import { randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier } from 'pg';
import { createOwnClient } from '../own-client';

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
  // A connection for each: one that waits for an hour of work may be broken by then.
  const run = (statement: string) => withClient(databaseUrl, (client) => client.query(statement));
  await run(`CREATE DATABASE ${escapeIdentifier(name)}`);
  try {
    return await work(url.href);
  } finally {
    await run(`DROP DATABASE ${escapeIdentifier(name)} WITH (FORCE)`);
  }
}

export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = createOwnClient({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
