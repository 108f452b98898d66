import { createTestDatabase } from '@mediagate/testkit';
import { openConnections } from '../src/connections';

const SETTINGS = ['TimeZone', 'plan_cache_mode', 'statement_timeout', 'lock_timeout', 'work_mem'] as const;

async function sessionWith(query: string, addressed = (url: string) => url): Promise<unknown[]> {
  const { databaseUrl, drop } = await createTestDatabase();
  const own = addressed(databaseUrl);
  const url = `${own}${own.includes('?') ? '&' : '?'}${query}`;
  const { pool } = openConnections({ url, poolSize: 1, statementTimeoutMs: 4321, applicationName: 'options-test' });
  try {
    const { rows } = await pool.query(
      `select ${SETTINGS.map((name) => `current_setting('${name}') as "${name}"`).join(', ')}`,
    );
    return SETTINGS.map((name) => rows[0][name]);
  } finally {
    await pool.end();
    await drop();
  }
}

const SETTLED = ['UTC', 'force_generic_plan', '4321ms', '2s', '9MB'];

/** The form in which a socket is named, `postgresql://user:password@/name?host=…`, which `URL` does not read. */
function withHostAsParameter(text: string): string {
  const { username, password, hostname, port, pathname, searchParams } = new URL(text);
  for (const [name, value] of Object.entries({ host: hostname, port })) if (value !== '') searchParams.set(name, value);
  return `postgresql://${username}:${password}@${pathname}?${searchParams}`;
}

it.each([
  ['options=-c%20timezone%3DAsia%2FShanghai%20-c%20work_mem%3D9MB'],
  ['options=-c+work_mem%3D9MB+-c+plan_cache_mode%3Dauto&statement_timeout=0&lock_timeout=1'],
])('a session has the settings that statements need, and those of its URL beside them: %s', async (query) => {
  expect(await sessionWith(query)).toEqual(SETTLED);
  expect(await sessionWith(query, withHostAsParameter)).toEqual(SETTLED);
});
