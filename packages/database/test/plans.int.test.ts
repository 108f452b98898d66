import { createTestDatabase, type TestDatabase } from '@mediagate/testkit';
import { type Database, openDatabase } from '../src';

describe('a statement prepared while its table is empty', () => {
  let home: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    home = await createTestDatabase();
    const options = { poolSize: 1, statementTimeoutMs: 5000, applicationName: 'test' };
    database = openDatabase({ url: home.databaseUrl, ...options });
  });

  afterAll(async () => {
    await database.close();
    await home.drop();
  });

  const planOf = async (text: string) => {
    const rows = await database.query<{ 'QUERY PLAN': string }>({ name: 'test.plan', text: `explain ${text}` }, []);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it('goes by the index, so that it stays fast when the table has grown', async () => {
    const ids = Array.from({ length: 64 }, (_, index) => `'task_${index}'`).join(', ');
    const plan = await planOf(`select id from tasks where id = any(array[${ids}])`);
    expect(plan).toContain('tasks_pkey');
    expect(plan).not.toContain('Seq Scan');
  });
});
