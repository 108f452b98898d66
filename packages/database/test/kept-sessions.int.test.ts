import { createTestDatabase } from '@mediagate/testkit';
import { openConnections } from '../src/connections';

const QUIET_MS = 10 * 60_000;

it('keeps its sessions between requests that come at once: in a new one each statement is planned anew', async () => {
  const { databaseUrl, drop } = await createTestDatabase();
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  const { pool } = openConnections({
    url: databaseUrl,
    poolSize: 2,
    statementTimeoutMs: QUIET_MS,
    applicationName: 'sessions-test',
  });
  const sessions = async () => {
    const answers = await Promise.all([1, 2].map(() => pool.query('select pg_backend_pid() as pid, pg_sleep(0.1)')));
    return new Set(answers.map(({ rows }) => rows[0].pid));
  };
  try {
    const first = await sessions();
    expect(first.size).toBe(2);
    jest.advanceTimersByTime(QUIET_MS);
    expect(await sessions()).toEqual(first);
  } finally {
    await pool.end();
    jest.useRealTimers();
    await drop();
  }
});
