import { newTaskId } from '@mediagate/contracts';
import { type Database, openDatabase, type Statement } from '@mediagate/database';
import { createTestDatabase, type TestDatabase } from '@mediagate/testkit';
import { createStepWrites, createTaskClaimer, markWoken, renewSubmitterLeases, takeOverTasks } from '../src';

const TASK = { id: newTaskId(), fence: 1 };
const REFUSAL = {
  attemptId: 'att_1',
  fault: 'upstream_fault',
  detail: '',
  requestIds: [],
  triedChannels: [],
  barredChannels: [],
} as const;
const ACCEPTED = { attemptId: 'att_1', externalId: 'x', operation: {}, requestIds: [], nextStepInMs: 1 };
const CHECK = { phase: 'running', progress: 1, operation: undefined, nextStepInMs: 1, failedStep: false } as const;
const ATTEMPT = { attemptId: 'att_1', channelId: 'c', protocol: 'p', maxConcurrency: undefined };

const WRITES: Record<string, (database: Database) => Promise<unknown>> = {
  claim: (database) => createTaskClaimer(database, 1)(TASK.id),
  wake: (database) => markWoken(database, [{ ...TASK, family: 'image' }]),
  renew: (database) => createStepWrites(database).renewLease(TASK, 1),
  begin: (database) => createStepWrites(database).beginAttempt(TASK, ATTEMPT),
  accept: (database) => createStepWrites(database).saveOperation(TASK, ACCEPTED),
  'begin a stage': (database) => createStepWrites(database).beginStage(TASK, 'att_1'),
  'withdraw a stage': (database) =>
    createStepWrites(database).withdrawStage(TASK, { attemptId: 'att_1', nextStepInMs: 1, failedStep: true }),
  postpone: (database) => createStepWrites(database).postpone(TASK, CHECK),
  'renew what the submitter runs': (database) => renewSubmitterLeases(database, [TASK.id], 1),
  'take over': (database) => takeOverTasks(database, [TASK.id], 1),
  'give up': (database) =>
    createStepWrites(database).giveUpAttempt(TASK, {
      ...{ ...REFUSAL, requestIds: [], triedChannels: [], barredChannels: [], nextStepInMs: 1, failedStep: true },
    }),
};

describe('the statements of a task', () => {
  let home: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    home = await createTestDatabase();
    const options = { poolSize: 1, statementTimeoutMs: 5000, applicationName: 'tasks-test' };
    database = openDatabase({ url: home.databaseUrl, ...options });
  }, 60_000);

  afterAll(async () => {
    await database.close();
    await home.drop();
  });

  it.each(Object.entries(WRITES))('%s by ids, even while next to nothing is open', async (name, write) => {
    const statements: Statement[] = [];
    await write({
      ...database,
      async query(statement) {
        statements.push(statement);
        return [];
      },
    });
    const [{ text } = { text: '' }] = statements;
    const explain = { name: `test.plan_of_${name}`, text: `explain ${withValues(text)}` };
    const plan = await database.query<{ 'QUERY PLAN': string }>(explain, []);
    const indexes = plan.flatMap((row) => /(?:using|Index Scan on) (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
    expect(indexes.length).toBeGreaterThan(0);
    expect(indexes.filter((index) => !index.endsWith('_pkey'))).toEqual([]);
  });

  /** Ten of everything: what PostgreSQL assumes of an array that it has not seen. */
  function withValues(text: string): string {
    const ten = (value: (index: number) => number) => `'{${Array.from({ length: 10 }, (_, index) => value(index))}}'`;
    return text
      .replaceAll(
        /\$\d+(?=::boolean\[\])/g,
        ten(() => 1),
      )
      .replaceAll(
        /\$\d+(?=::\w+\[\])/g,
        ten((index) => index),
      )
      .replaceAll(/\$\d+/g, `'1'`);
  }
});
