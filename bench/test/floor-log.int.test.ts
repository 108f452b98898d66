import { createTestDatabase, type TestDatabase } from '@mediagate/testkit';
import { openFloorLog, rowsOf, WRITE } from '../reference/floor-log';
import { query } from '../src/machine/query';

let home: TestDatabase;

beforeAll(async () => {
  home = await createTestDatabase();
});

afterAll(() => home.drop());

describe('what a floor writes', () => {
  it('is there once it is acknowledged, of all who waited', async () => {
    const log = await openFloorLog(home.databaseUrl);
    await Promise.all(Array.from({ length: 100 }, () => log.write(2500)));
    const [found] = await query<{ rows: number }>(home.databaseUrl, 'select count(*)::int as rows from floor_rows');
    await log.close();
    expect(found?.rows).toBe(300);
  });

  it.each([400, 2000, 6000, 20_000])('takes %d bytes of the log as it is asked for', async (bytes) => {
    const log = await openFloorLog(home.databaseUrl);
    await log.close();
    const [plan] = await query<{ 'QUERY PLAN': [{ Plan: { 'WAL Bytes': number } }] }>(
      home.databaseUrl,
      `explain (analyze, wal, format json) ${WRITE}`,
      [rowsOf(bytes)],
    );
    const written = plan?.['QUERY PLAN'][0].Plan['WAL Bytes'] ?? 0;
    expect(written / bytes).toBeGreaterThan(0.95);
    expect(written / bytes).toBeLessThan(1.1);
  });
});
