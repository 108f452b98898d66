import { DatabaseUnavailableError, type UsageQuery, type UsageRow } from '@mediagate/database';
import { sumUsage } from './usage';

const DAY_MS = 86_400_000;
const NO_GROUPS = { day: false, model: true, key: false, family: false, metadata: [] };
const FROM = new Date('2026-01-01T00:00:00Z');
const QUERY: UsageQuery = { accountId: 'a', ownKeyId: null, from: FROM, to: after(30), groups: NO_GROUPS, limit: 10 };
const WITHIN = { withinMs: 5000 };

function after(days: number): Date {
  return new Date(FROM.getTime() + days * DAY_MS);
}

/** An account with one task an hour of each model, at a database that ends statements over more than some days. */
function database(longestDays: number, models: readonly (string | null)[] = ['b', null, 'a']) {
  const asked: UsageQuery[] = [];
  async function sum(query: UsageQuery): Promise<UsageRow[]> {
    asked.push(query);
    const ms = query.to.getTime() - query.from.getTime();
    if (ms > longestDays * DAY_MS) throw new DatabaseUnavailableError(Object.assign(new Error(), { code: '57014' }));
    const tasks = BigInt(ms / 3_600_000);
    const none = { day: null, key: null, family: null, metadata: null };
    return models.map((model) => ({ ...none, model, tasks, completed: tasks, failed: 0n, chargedNano: tasks * 2n }));
  }
  const readKeptSince = async () => [{ keptSince: null }];
  return { asked, sumUsage: sum, sumUsageOfEach: sum, readKeptSince };
}

const modelsAndTasks = (rows?: UsageRow[]) => rows?.map(({ model, tasks }) => [model, tasks]);

it('has each task of the time once, whatever pieces it is summed up in, in the order of the groups', async () => {
  const expected = [
    ['a', 720n],
    ['b', 720n],
    [null, 720n],
  ];
  for (const longestDays of [30, 3, 1, 0.2]) {
    expect(modelsAndTasks(await sumUsage(database(longestDays), QUERY, WITHIN))).toEqual(expected);
  }
});

it('reads the sums of days unless days of another zone are asked for, or metadata', async () => {
  const seen = async (groups: Partial<UsageQuery['groups']>, timezone?: string) => {
    const { sumUsage: summed, ...rest } = database(30);
    const door = { ...rest, sumUsage: summed, sumUsageOfEach: async () => [] };
    return (await sumUsage(door, { ...QUERY, groups: { ...NO_GROUPS, ...groups }, timezone }, WITHIN))?.length;
  };
  expect([await seen({ day: true }), await seen({}, 'Asia/Shanghai'), await seen({ day: true }, 'UTC')]).toEqual([
    3, 3, 3,
  ]);
  expect([await seen({ day: true }, 'Asia/Shanghai'), await seen({ metadata: ['a'] })]).toEqual([0, 0]);
});

it('asks for a month of few tasks in five statements', async () => {
  const quick = database(30);
  await sumUsage(quick, QUERY, WITHIN);
  expect(quick.asked).toHaveLength(5);
});

it('gives up when the time is over, or a minute is too much for a statement', async () => {
  expect(await sumUsage(database(30), QUERY, { withinMs: -1 })).toBeUndefined();
  expect(await sumUsage(database(0), QUERY, WITHIN)).toBeUndefined();
});

it('ends once there are as many groups as are wanted', async () => {
  const wide = database(30);
  expect(modelsAndTasks(await sumUsage(wide, { ...QUERY, limit: 2 }, WITHIN))).toEqual([
    ['a', 24n],
    ['b', 24n],
  ]);
  expect(wide.asked).toHaveLength(1);
});

it('takes an outage for what it is', async () => {
  const down = { ...database(30), sumUsage: () => Promise.reject(new DatabaseUnavailableError(new Error('gone'))) };
  await expect(sumUsage(down, QUERY, WITHIN)).rejects.toThrow(DatabaseUnavailableError);
});
