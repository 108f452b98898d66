import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@mediagate/testkit';
import { openConnections } from '../src/connections';

const SETTINGS = ['TimeZone', 'plan_cache_mode', 'statement_timeout', 'lock_timeout', 'work_mem'] as const;

async function sessionWith(query: string, databaseUrl: string): Promise<unknown[]> {
  const url = `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}${query}`;
  const { pool } = openConnections({ url, poolSize: 1, statementTimeoutMs: 4321, applicationName: 'options-test' });
  try {
    const { rows } = await pool.query(
      `select ${SETTINGS.map((name) => `current_setting('${name}') as "${name}"`).join(', ')}`,
    );
    return SETTINGS.map((name) => rows[0][name]);
  } finally {
    await pool.end();
  }
}

/** Runs `work` with the URL of a socket that leads to the server of `databaseUrl`, which listens at no socket itself. */
async function withSocket<Result>(databaseUrl: string, work: (url: string) => Promise<Result>): Promise<Result> {
  const url = new URL(databaseUrl);
  const directory = await mkdtemp(join(tmpdir(), 'mediagate-socket-'));
  const { hostname: host, port } = url;
  const server = createServer((client) => {
    const upstream = connect({ host, port: Number(port) });
    for (const end of [client, upstream]) end.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
  });
  await once(server.listen(join(directory, '.s.PGSQL.1')), 'listening');
  try {
    return await work(
      `postgresql://${url.username}:${url.password}@nowhere.invalid${url.pathname}?host=${directory}&port=1`,
    );
  } finally {
    await once(server.close(), 'close');
    await rm(directory, { recursive: true });
  }
}

const SETTLED = ['UTC', 'force_generic_plan', '4321ms', '2s', '9MB'];

it.each([
  ['options=-c%20timezone%3DAsia%2FShanghai%20-c%20work_mem%3D9MB'],
  ['options=-c+work_mem%3D9MB+-c+plan_cache_mode%3Dauto&statement_timeout=0&lock_timeout=1'],
])(
  'a session has the settings that statements need, and those of its URL beside them, also over a socket: %s',
  async (query) => {
    const { databaseUrl, drop } = await createTestDatabase();
    try {
      expect(await sessionWith(query, databaseUrl)).toEqual(SETTLED);
      expect(await withSocket(databaseUrl, (url) => sessionWith(query, url))).toEqual(SETTLED);
    } finally {
      await drop();
    }
  },
);
