import { timeOrderedId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { forAllTests, openTestDatabase, runSql } from '@mediagate/testkit';
import { ChannelPaces } from '../src';

let database: Database;
let channels = 0;

/** The moment at which all tests happen, for this process and for the database: no rest is over because a machine is slow. */
const NOW_MS = Date.now();
/** A schema that the database's functions find before its own `now()`. */
const STOPPED_CLOCK = [
  'create schema clock',
  `create function clock.now() returns timestamptz stable language sql as 'select to_timestamp(${NOW_MS / 1000})'`,
  `do $$ begin execute format('alter database %I set search_path = clock, pg_catalog, public', current_database()); end $$`,
];

const home = forAllTests(() => openTestDatabase(6));
beforeAll(async () => {
  for (const statement of STOPPED_CLOCK) await runSql(home.database, statement);
  database = home.another();
});
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW_MS));
afterEach(() => jest.restoreAllMocks());

const newChannel = () => ({ id: `channel-${++channels}`, isTest: false });
type TestChannel = ReturnType<typeof newChannel>;

function attemptRow({ id: channelId }: TestChannel, state: string, agoMs: number) {
  const startedAt = new Date(Date.now() - agoMs);
  const id = `att_${timeOrderedId(startedAt.getTime())}`;
  return { id, taskId: id, number: 1, channelId, protocol: 'p', state, startedAt };
}

async function begin(channel: TestChannel): Promise<string> {
  const row = attemptRow(channel, 'starting', 0);
  await database.taskAttempt.create({ data: row });
  return row.id;
}

async function beginMany(channel: TestChannel, count: number, state: string, agoMs = 0): Promise<void> {
  const data = Array.from({ length: count }, () => attemptRow(channel, state, agoMs));
  await database.taskAttempt.createMany({ data });
}

const paces = () => new ChannelPaces(database);

/** A start that the vendor throttles, in a process of its own. */
async function throttle(channel: TestChannel, { retryAfterMs }: { retryAfterMs?: number } = {}): Promise<number> {
  return paces().throttled({ channel, attemptId: await begin(channel), retryAfterMs });
}

/** Asks for the next start in a process of its own, which knows that the channel is paced. */
function takeStart({ id }: TestChannel): Promise<number> {
  const own = paces();
  own.learn([id]);
  return own.takeStart(id);
}

/** As if so much time had passed for the channel. */
function pass({ id }: TestChannel, seconds: number): Promise<object[]> {
  const earlier = ['throttled_at', 'cooling_until', 'next_start_at'].map(
    (at) => `${at} = ${at} - make_interval(secs => $2)`,
  );
  return runSql(database, `update channel_paces set ${earlier.join(', ')} where channel_id = $1`, [id, seconds]);
}

/** How many starts a channel takes in the next moment, each asked for a little later. */
async function startsIn(channel: TestChannel, seconds: number): Promise<number> {
  let starts = 0;
  for (let step = 0; step < 20; step += 1) {
    await pass(channel, seconds / 20);
    if ((await takeStart(channel)) === 0) starts += 1;
  }
  return starts;
}

it('a channel that nobody throttled is never asked about', async () => {
  const asked = jest.fn();
  const own = new ChannelPaces({ throttleChannel: asked, takeChannelStart: asked });
  expect(await own.takeStart('any')).toBe(0);
  expect(asked).not.toHaveBeenCalled();
});

it('a throttled channel rests, and of the starts that were under way together one counts', async () => {
  const channel = newChannel();
  const attempts = await Promise.all(Array.from({ length: 5 }, () => begin(channel)));
  const rests = await Promise.all(attempts.map((attemptId) => paces().throttled({ channel, attemptId })));
  expect(new Set(rests).size).toBe(1);
  expect(rests[0]).toBeGreaterThanOrEqual(750);
  expect(rests[0]).toBeLessThanOrEqual(1250);
  expect(await takeStart(channel)).toBeGreaterThan(0);
});

it('each start that is throttled right after a rest makes the next one twice as long, up to 8 s', async () => {
  const channel = newChannel();
  const rests: number[] = [];
  for (let strike = 0; strike < 6; strike += 1) {
    rests.push(await throttle(channel));
    await pass(channel, Number(rests.at(-1)) / 1000);
  }
  [1, 2, 4, 8, 8, 8].forEach((seconds, strike) => {
    expect(rests[strike]).toBeGreaterThanOrEqual(seconds * 750);
    expect(rests[strike]).toBeLessThanOrEqual(seconds * 1250);
  });
  await pass(channel, 2);
  expect(await throttle(channel)).toBeLessThanOrEqual(1250);
});

it('a vendor that asks for more is left alone for so long, though another start was throttled before', async () => {
  const channel = newChannel();
  const [first, second] = [await begin(channel), await begin(channel)];
  await paces().throttled({ channel, attemptId: first });
  expect(await paces().throttled({ channel, attemptId: second, retryAfterMs: 90_000 })).toBe(90_000);
  await pass(channel, 60);
  expect(await takeStart(channel)).toBe(30_000);
});

it('after the rest one start goes, however many ask, and then ever more', async () => {
  const channel = newChannel();
  await pass(channel, Number(await throttle(channel)) / 1000);
  const restMs = await takeStart(channel);
  await pass(channel, restMs / 1000);
  const waits = await Promise.all(Array.from({ length: 9 }, () => takeStart(channel)));
  expect(waits.filter((waitMs) => waitMs === 0).length + Number(restMs === 0)).toBe(1);
  const bySecond: number[] = [];
  for (let second = 0; second < 4; second += 1) bySecond.push(await startsIn(channel, 1));
  expect(bySecond).toEqual(bySecond.toSorted((left, right) => left - right));
  expect(bySecond[3]).toBeGreaterThanOrEqual(5);
});

it('it returns to the pace that the vendor took before, and goes at any pace a minute later', async () => {
  const channel = newChannel();
  await beginMany(channel, 30, 'accepted');
  await pass(channel, Number(await throttle(channel)) / 1000 + 0.1);
  const first = await startsIn(channel, 1);
  expect(first).toBeGreaterThanOrEqual(3);
  await startsIn(channel, 1);
  expect(await startsIn(channel, 1)).toBeLessThanOrEqual(9);
  await pass(channel, 60);
  const all = await Promise.all(Array.from({ length: 20 }, () => takeStart(channel)));
  expect(all).toEqual(all.map(() => 0));
});

it('calls that the vendor is still answering count to the pace that it took, and those that it may be about to refuse do not', async () => {
  const [slow, refusing] = [newChannel(), newChannel()];
  await beginMany(slow, 30, 'starting', 2500);
  await beginMany(refusing, 30, 'starting');
  for (const channel of [slow, refusing]) await pass(channel, Number(await throttle(channel)) / 1000 + 0.1);
  expect(await startsIn(slow, 1)).toBeGreaterThanOrEqual(3);
  expect(await startsIn(refusing, 1)).toBeLessThanOrEqual(2);
});

it('a paced channel that is throttled returns to what it took at last, not to the slow beginning', async () => {
  const channel = newChannel();
  await pass(channel, Number(await throttle(channel)) / 1000 + 5);
  await beginMany(channel, 10, 'accepted', 1500);
  await pass(channel, Number(await throttle(channel)) / 1000 + 0.1);
  expect(await startsIn(channel, 1)).toBeGreaterThanOrEqual(5);
});

it('starts that come a little late are made up for, and those that nobody asked for are not', async () => {
  const channel = newChannel();
  await beginMany(channel, 300, 'accepted');
  await pass(channel, Number(await throttle(channel)) / 1000 + 5);
  await takeStart(channel);
  await pass(channel, 0.08);
  const asked = await Promise.all(Array.from({ length: 30 }, () => takeStart(channel)));
  const taken = asked.filter((waitMs) => waitMs === 0).length;
  expect(taken).toBeGreaterThanOrEqual(4);
  // All, were those of five seconds made up for.
  expect(taken).toBeLessThan(30);
});

it('a channel of tests throttles for its caller alone', async () => {
  const channel = { ...newChannel(), isTest: true };
  expect(await paces().throttled({ channel, attemptId: await begin(channel), retryAfterMs: 5000 })).toBe(0);
  expect(await takeStart(channel)).toBe(0);
});
