import { WORKER_FAMILIES } from '@mediagate/contracts';
import { MAX_COUNTED_DUE } from '@mediagate/database';
import { forAllTests, runSql } from '@mediagate/testkit';
import { ENDED, insertKey, insertTask, openRowsOfKey, secondsFromNow } from './rows';

const rows = forAllTests(openRowsOfKey);
afterEach(async () => {
  await rows.database.task.deleteMany();
});

const insert = (more: Record<string, unknown>) => insertTask(rows.database, rows.keyId, more);
const insertMany = (count: number, status: string, dueSecondsAgo: number) =>
  runSql(rows.database, INSERT_MANY, [rows.keyId, count, status, dueSecondsAgo]);

const INSERT_MANY = `
insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
  deadline_at, next_step_at, status, progress, completed_at, error)
select gen_random_uuid()::text, k.account_id, k.id, 'image', 'image', 'a-model', 'generate', '{}', '{}', 1, 5,
  now() + interval '10 minutes', now() - make_interval(secs => $4::float8), $3::text,
  case $3::text when 'failed' then 100 else 0 end, case $3::text when 'failed' then now() end,
  case $3::text when 'failed' then '{"message":"no"}'::jsonb end
from api_keys k, generate_series(1, $2::int) where k.id = $1`;

describe('due backlogs', () => {
  it('count what nobody took, by family, the oldest first, with its age', async () => {
    await insert({ family: 'image', nextStepAt: secondsFromNow(-100) });
    await insert({ family: 'video', nextStepAt: secondsFromNow(-300) });
    await insert({ family: 'image', nextStepAt: secondsFromNow(-200) });
    expect(await rows.database.readDueBacklogs(WORKER_FAMILIES)).toEqual([
      { family: 'video', tasks: 1, oldestSeconds: expect.closeTo(300, -1.5) },
      { family: 'image', tasks: 2, oldestSeconds: expect.closeTo(200, -1.5) },
    ]);
  });

  it('count a task whose worker died from the end of its lease', async () => {
    await insert({ status: 'processing', nextStepAt: secondsFromNow(-900), leaseUntil: secondsFromNow(-100) });
    const expected = { family: 'video', tasks: 1, oldestSeconds: expect.closeTo(100, -1.5) };
    expect(await rows.database.readDueBacklogs(WORKER_FAMILIES)).toEqual([expected]);
  });

  it.each([
    ['put off', () => ({ nextStepAt: secondsFromNow(60) })],
    ['in a worker’s hands', () => ({ nextStepAt: secondsFromNow(-60), leaseUntil: secondsFromNow(60) })],
    ['over', () => ({ ...ENDED, nextStepAt: secondsFromNow(-60) })],
  ])('leave out what is %s', async (_, more) => {
    await insert(more());
    expect(await rows.database.readDueBacklogs(WORKER_FAMILIES)).toEqual([]);
  });

  it('are read by indexes of what waits alone, a bounded number of rows however many are due', async () => {
    await insertMany(20_000, 'failed', 500);
    await insertMany(MAX_COUNTED_DUE + 50, 'submitted', 100);
    await insert({ family: 'video', nextStepAt: secondsFromNow(-300) });
    await runSql(rows.database, 'analyze tasks');
    expect(await rows.database.readDueBacklogs(WORKER_FAMILIES)).toEqual([
      expect.objectContaining({ family: 'video', tasks: 1 }),
      expect.objectContaining({ family: 'image', tasks: MAX_COUNTED_DUE }),
    ]);

    const plan = await planOfBacklogs();
    expect(plan).toContain('tasks_undispatched');
    expect(plan).toContain('tasks_watched');
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('backlogs by account', () => {
  const accountOf = async (key: string) =>
    (await rows.database.apiKey.findUniqueOrThrow({ where: { id: key } })).accountId;

  it('are the ten largest, of all families together, with what waits and what runs', async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => insertKey(rows.database)));
    for (const [index, key] of keys.entries()) {
      for (let count = 0; count < index; count += 1) {
        await insertTask(rows.database, key, { family: count % 2 ? 'image' : 'video' });
      }
    }
    await insertTask(rows.database, keys[11] ?? '', { status: 'processing' });
    await insertTask(rows.database, keys[0] ?? '', ENDED);
    const found = await rows.database.readAccountBacklogs(WORKER_FAMILIES);
    expect(found.map(({ waiting, running }) => [waiting, running])).toEqual([
      [11, 1],
      ...[10, 9, 8, 7, 6, 5, 4, 3, 2].map((count) => [count, 0]),
    ]);
    expect(found[0]?.accountId).toBe(await accountOf(keys[11] ?? ''));
  });

  it('are no more of one account than can be counted quickly, and read no whole table', async () => {
    await insertMany(1500, 'submitted', 100);
    expect(await rows.database.readAccountBacklogs(WORKER_FAMILIES)).toMatchObject([{ waiting: 1000, running: 0 }]);
    const plan = await runSql<{ 'QUERY PLAN': string }>(
      rows.database,
      `explain execute "readAccountBacklogs"('{image}')`,
    );
    expect(plan.map((line) => line['QUERY PLAN']).join(' ')).not.toContain('Seq Scan');
  });

  it('of families count apart the tasks that await a slot of their key', async () => {
    const id = await insert({ family: 'image', awaitsKeySlot: true });
    await runSql(rows.database, 'update tasks set woken_at = now() where id = $1', [id]);
    await insert({ family: 'image' });
    expect(await rows.database.readQueueDepths(['image'])).toMatchObject([{ waiting: 2, awaitingKeySlot: 1 }]);
  });
});

/** The plan of the statement as it was prepared: the pool hands out the connection that was used last. */
async function planOfBacklogs(): Promise<string> {
  const lines = await runSql<{ 'QUERY PLAN': string }>(rows.database, `explain execute "readDueBacklogs"('{image}')`);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}
