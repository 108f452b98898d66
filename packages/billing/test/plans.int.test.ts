import { newTaskId, type TaskId } from '@mediagate/contracts';
import { type Database, openDatabase } from '@mediagate/database';
import { createFinisher, createSubmitter, taskError } from '../src';
import { type Books, fundedKey, openBooks, submission } from './books';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

/** PostgreSQL counts what a connection has done once that is closed. */
async function whileCounted(work: (database: Database) => Promise<void>): Promise<void> {
  const options = { poolSize: 1, statementTimeoutMs: 5000, applicationName: 'plans-test' };
  const database = openDatabase({ url: books.databaseUrl, ...options });
  await work(database);
  await database.close();
}

/** Indexes that were used, and tables that were read without one. */
async function scans(): Promise<{ name: string; scans: bigint }[]> {
  const text = `
    select indexrelname as name, idx_scan as scans from pg_stat_user_indexes where idx_scan > 0
    union all select relname, seq_scan from pg_stat_user_tables where seq_scan > 0`;
  return await books.database.query({ name: 'test.scans', text }, []);
}

it('submissions and ends go by keys alone, even while next to nothing is there', async () => {
  const payer = await fundedKey(books.database, 1000n);
  await books.database.query({ name: 'test.reset', text: 'select pg_stat_reset()' }, []);
  await whileCounted(async (database) => {
    const [submit, finish] = [createSubmitter(database), createFinisher(database)];
    const refund = (taskId: TaskId) =>
      finish({ taskId, fence: 0, outcome: { kind: 'failed', error: taskError('no') } });
    // Its plan is made now.
    expect(await refund(newTaskId())).toMatchObject({ won: false });
    for (let round = 0; round < 10; round += 1) {
      const idempotency = { key: `key-${round}`, requestHash: Buffer.from('hash') };
      const { taskId } = submission(payer, 1n);
      expect(await submit({ ...submission(payer, 1n, { idempotency }), taskId })).toEqual({ kind: 'accepted' });
      expect(await refund(taskId)).toMatchObject({ won: true });
    }
  });
  const used = await scans();
  // Every other index is one of all that is open, due or expired, and as long as that.
  expect(used.find(({ name }) => name === 'tasks_pkey')?.scans).toBeGreaterThanOrEqual(20n);
  expect(used.filter(({ name }) => !/_(pkey|task_id_number_key)$/.test(name))).toEqual([]);
});
