import { newTaskId } from '@mediagate/contracts';
import { forEachTest, runSql } from '@mediagate/testkit';
import type { Job } from '../src/job';
import { openWorld, WEBHOOK } from './world';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const world = forEachTest(openWorld);
afterEach(async () => {
  jest.restoreAllMocks();
  await world.close();
});

/** The tables that keep rows for hours or days, and the sums: each is read whole, as text. */
const TABLES = [
  'tasks',
  'task_attempts',
  'task_labels',
  'reservations',
  'ledger_entries',
  'webhook_deliveries',
  'webhook_attempts',
  'media_objects',
  'idempotency_keys',
  'channel_destinations',
  'usage_days',
  'usage_progress',
];

async function readTables(): Promise<Record<string, string[]>> {
  const rows = await Promise.all(
    TABLES.map((table) => runSql<{ row: string }>(world.database, `select x::text as row from ${table} x order by 1`)),
  );
  return Object.fromEntries(TABLES.map((table, index) => [table, (rows[index] ?? []).map(({ row }) => row)]));
}

/** A task that has ended and was called back about, its file removed at its end, and a key for its repetition. */
async function endedTask(ageMs: number): Promise<void> {
  const taskId = newTaskId(Date.now() - ageMs);
  const { database } = world;
  const idempotency = { key: taskId, requestHash: Buffer.alloc(32) };
  await world.submit({ taskId, webhook: WEBHOOK, idempotency, metadata: { order: '9' } });
  const attempt = { taskId, number: 1, channelId: 'a', protocol: 'p', state: 'refused' };
  await database.taskAttempt.create({ data: { ...attempt, id: `attempt_${taskId}` } });
  await world.fail(taskId);
  await runSql(database, "update webhook_deliveries set state = 'delivered', next_attempt_at = null, ended_at = now()");
  const file = {
    accountId: world.accountId,
    purpose: 'result',
    contentType: 'image/png',
    bytes: 1n,
    sha256: Buffer.alloc(32),
  };
  const times = { expiresAt: new Date(Date.now() + HOUR_MS), deletedAt: null };
  await database.mediaObject.create({
    data: { ...file, ...times, id: taskId.slice('task_'.length), storageKey: `results/${taskId}` },
  });
  await database.channelDestination.create({ data: { channelId: 'a', destination: taskId, source: {} } });
}

/** Runs each job as the service does, but for `more`. */
const runAll = async (jobs: readonly Job[]) => {
  for (const job of jobs) await job.run();
};

describe('by the clock of the database alone', () => {
  it.each([
    ['a month ahead', 40 * DAY_MS],
    ['a month behind', -40 * DAY_MS],
  ])('rows are kept, expired and summed up where the clock of the process is %s', async (_, offMs) => {
    await endedTask(HOUR_MS);
    await endedTask(HOUR_MS / 2);
    const before = await readTables();
    expect(TABLES.filter((table) => before[table]?.length === 0)).toEqual(['webhook_attempts', 'usage_days']);
    const jobs = world.reconciler();
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + offMs);
    await runAll(Object.values(jobs));
    jest.restoreAllMocks();
    expect(await readTables()).toEqual(before);
  });
});
