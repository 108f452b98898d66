import { type Database, openDatabase, type Statement } from '@mediagate/database';
import { createTestDatabase, type TestDatabase } from '@mediagate/testkit';
import { claimDelivery, recordAttempt, startAttempt } from '../src';

const CLAIM = { id: 'whd_1', fence: 1 };
const START = { body: '{}', leaseMs: 1, retryIfLostMs: 1 };
const RECORD = { number: 1, outcome: { kind: 'answered', status: 200 }, verdict: { state: 'delivered' } } as const;

const WRITES: Record<string, (database: Database) => Promise<unknown>> = {
  claim: (database) => claimDelivery(database, CLAIM.id),
  start: (database) => startAttempt(database, CLAIM, START),
  record: (database) => recordAttempt(database, CLAIM, RECORD),
};

describe('the statements of a callback', () => {
  let home: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    home = await createTestDatabase();
    const options = { poolSize: 1, statementTimeoutMs: 5000, applicationName: 'webhooks-test' };
    database = openDatabase({ url: home.databaseUrl, ...options });
  });

  afterAll(async () => {
    await database.close();
    await home.drop();
  });

  it.each(Object.entries(WRITES))(
    '%s by primary keys, even while there is next to nothing pending',
    async (name, write) => {
      const statements: Statement[] = [];
      await write({
        ...database,
        async query(statement) {
          statements.push(statement);
          return [];
        },
      });
      const [{ text } = { text: '' }] = statements;
      const plan = await database.query<{ 'QUERY PLAN': string }>(
        { name: `test.plan_of_${name}`, text: `explain ${withValues(text)}` },
        [],
      );
      const indexes = plan.flatMap((row) => /(?:using|Index Scan on) (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
      expect(indexes.length).toBeGreaterThan(0);
      expect(indexes.filter((index) => !index.endsWith('_pkey'))).toEqual([]);
    },
  );

  /** Ten of everything: what PostgreSQL assumes of an array that it has not seen. */
  function withValues(text: string): string {
    return text.replaceAll(/\$\d+(?=::\w+\[\])/g, `'{1,2,3,4,5,6,7,8,9,10}'`).replaceAll(/\$\d+/g, `'1'`);
  }
});
