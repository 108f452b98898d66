import type { TaskId } from '@mediagate/contracts';
import type { TurnPlace, WaitingTask } from '@mediagate/database';
import { forAllTests, runSql } from '@mediagate/testkit';
import { ENDED, insertKey, insertTask, openRows, secondsFromNow } from './rows';

const rows = forAllTests(openRows);
afterEach(async () => {
  await rows.database.task.deleteMany();
  await rows.database.apiKey.deleteMany();
  await rows.database.account.deleteMany();
});

const FIRST: TurnPlace = { fromAccountId: '', turnLeft: 0 };
const find = (limit: number, place = FIRST, graceMs = 30_000) =>
  rows.database.findWaitingTasks([{ family: 'video', limit, ...place }], graceMs);

/** Accounts that each have as many tasks waiting, of those classes. */
async function openAccounts(classes: readonly string[], tasks: number): Promise<{ keyId: string; id: string }[]> {
  const accounts: { keyId: string; id: string }[] = [];
  for (const priorityClass of classes) {
    const keyId = await insertKey(rows.database);
    const { accountId: id } = await rows.database.apiKey.findUniqueOrThrow({ where: { id: keyId } });
    await rows.database.account.update({ where: { id }, data: { priorityClass } });
    await runSql(rows.database, INSERT_WAITING, [keyId, tasks]);
    accounts.push({ keyId, id });
  }
  return accounts;
}

const INSERT_WAITING = `
insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
  deadline_at, next_step_at)
select gen_random_uuid()::text, k.account_id, k.id, 'video', 'video', 'a-model', 'generate', '{}', '{}', 1, 5,
  now() + interval '1 hour', now() - make_interval(secs => 1000 - n::float8 / 1000)
from api_keys k, generate_series(1, $2::int) n where k.id = $1`;

/** As the dispatcher goes on: what it took waits no more. */
async function dispatch(tasks: readonly WaitingTask[]): Promise<TurnPlace> {
  await rows.database.markTasksEnqueued(tasks.map(({ id }) => id));
  const last = tasks.at(-1);
  if (last === undefined) return FIRST;
  return last.turnLeft > 0
    ? { fromAccountId: last.accountId, turnLeft: last.turnLeft }
    : { fromAccountId: `${last.accountId}0`, turnLeft: 0 };
}

function countByAccount(tasks: readonly { accountId: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { accountId } of tasks) counts[accountId] = (counts[accountId] ?? 0) + 1;
  return counts;
}

describe('tasks that wait for the dispatcher', () => {
  it('are taken in turns of their accounts, the oldest of each first', async () => {
    const [a, b, c] = await openAccounts(['normal', 'normal', 'normal'], 7);
    const found = await find(12);
    expect(found.map(({ accountId }) => accountId)).toEqual(
      [a, b, c, a].flatMap((account) => Array(3).fill(account?.id)),
    );
    const own = found.filter(({ accountId }) => accountId === a?.id).map(({ id }) => id);
    const inOrder = await rows.database.task.findMany({
      where: { accountId: a?.id ?? '' },
      orderBy: { nextStepAt: 'asc' },
      take: 6,
    });
    expect(own).toEqual(inOrder.map(({ id }) => id));
  });

  it.each([1, 2, 5, 40])('are shared nine to three to one by class, however few (%i) are wanted', async (wanted) => {
    const [low, normal, high] = await openAccounts(['low', 'normal', 'high'], 130);
    let place = FIRST;
    const taken: WaitingTask[] = [];
    while (taken.length < 130) {
      const found = await find(Math.min(wanted, 130 - taken.length), place);
      taken.push(...found);
      place = await dispatch(found);
    }
    expect(countByAccount(taken)).toEqual({
      [String(low?.id)]: 10,
      [String(normal?.id)]: 30,
      [String(high?.id)]: 90,
    });
  });

  it('leave what one account does not use of its turn to the others', async () => {
    const [flood] = await openAccounts(['low'], 50);
    const [few] = await openAccounts(['high'], 2);
    const found = await find(40);
    expect(countByAccount(found)).toEqual({ [String(flood?.id)]: 38, [String(few?.id)]: 2 });
  });

  it('come round to every account, however many there are', async () => {
    const accounts = await openAccounts(Array(300).fill('normal'), 1);
    let place = FIRST;
    const seen = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const found = await find(100, place);
      for (const { accountId } of found) seen.add(accountId);
      place = await dispatch(found);
    }
    expect(seen.size).toBe(accounts.length);
    expect(await find(100, place)).toEqual([]);
  });

  it.each([
    ['on their way', () => ({ nextStepAt: secondsFromNow(-0.1) })],
    ['enqueued', () => ({ nextStepAt: secondsFromNow(-60), wokenAt: secondsFromNow(-59) })],
    ['put off', () => ({ nextStepAt: secondsFromNow(60) })],
    ['being ended', () => ({ nextStepAt: secondsFromNow(-60), leaseUntil: secondsFromNow(600) })],
    ['begun', () => ({ nextStepAt: secondsFromNow(-60), status: 'pending' })],
    ['past their deadline', () => ({ nextStepAt: secondsFromNow(-60), deadlineAt: secondsFromNow(-1) })],
    ['over', () => ({ ...ENDED, nextStepAt: secondsFromNow(-60) })],
  ])('are not those that are %s', async (_, more) => {
    await insertTask(rows.database, await insertKey(rows.database), more());
    expect(await find(10)).toEqual([]);
  });

  it('are found by short scans of one index beside a backlog of 10,000', async () => {
    const [, , flood] = await openAccounts(['normal', 'normal', 'normal'], 3);
    for (let part = 0; part < 4; part += 1) await runSql(rows.database, INSERT_WAITING, [flood?.keyId, 2500]);
    await runSql(rows.database, 'analyze tasks');
    expect((await find(20)).length).toBe(20);
    const lines = await runSql<{ 'QUERY PLAN': string }>(
      rows.database,
      `explain (analyze, buffers, format text) execute "findWaitingTasks"('{video}', '{20}', '{""}', '{0}', 500)`,
    );
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan on tasks');
    expect(new Set(plan.match(/tasks\w*_idx|tasks_undispatched/g))).toEqual(new Set(['tasks_undispatched']));
    const [, buffers = '0'] = /Buffers: shared hit=(\d+)/.exec(plan) ?? [];
    expect(Number(buffers)).toBeLessThan(500);
  });
});

it('a task that awaits a slot of its key is not the dispatcher’s, also after its queue lost everything', async () => {
  const keyId = await insertKey(rows.database, 1);
  await insertTask(rows.database, keyId, { status: 'pending' });
  const id: TaskId = await insertTask(rows.database, keyId, { nextStepAt: secondsFromNow(-100) });
  expect(await rows.database.awaitKeySlots([id])).toEqual([{ id }]);
  expect(await find(10)).toEqual([]);
  await rows.database.forgetEnqueued(['video'], 10);
  expect(await find(10)).toEqual([]);
});
