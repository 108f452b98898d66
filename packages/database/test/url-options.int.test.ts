import { createTestDatabase } from '@mediagate/testkit';
import { openConnections } from '../src/connections';

const SETTINGS = ['TimeZone', 'plan_cache_mode', 'statement_timeout', 'lock_timeout', 'work_mem'] as const;

async function sessionWith(query: string): Promise<unknown[]> {
  const { databaseUrl, drop } = await createTestDatabase();
  const url = `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}${query}`;
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

it.each([
  ['options=-c%20timezone%3DAsia%2FShanghai%20-c%20work_mem%3D9MB'],
  ['options=-c+work_mem%3D9MB+-c+plan_cache_mode%3Dauto&statement_timeout=0&lock_timeout=1'],
])('a session has the settings that statements need, and those of its URL beside them: %s', async (query) => {
  expect(await sessionWith(query)).toEqual(['UTC', 'force_generic_plan', '4321ms', '2s', '9MB']);
});
