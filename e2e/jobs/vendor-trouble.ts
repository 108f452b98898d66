import { until } from '@mediagate/testkit';
import { download } from '../system/judged-answers';
import { sharedSystem } from '../system/shared-system';
import type { System, SystemAccount } from '../system/start-system';
import { watchVideo } from '../system/watch-video';

/* Vendors have bad days; callers notice nothing but the time, and pay nothing for what they did not get. */

let system: System;
let account: SystemAccount;
const ids = new Map<string, string>();

const VIDEOS = '/v1/videos/generations';
const SECONDS = 5;
const LATE_MS = 90_000;

const LATE = `asset-late=${LATE_MS / 1000}s`;
/** Faults that a video meets and still ends well. */
const TROUBLES = [
  'asset-truncated*1',
  'asset-cut',
  'asset-slow=3s',
  'asset-404*2',
  'check-gateway-html=200*2',
  'check-throttle-concurrency=5s,check-retry-after=0s',
  'long-id',
];

beforeAll(async () => {
  ({ system } = await sharedSystem());
  account = await system.account(1_000_000_000_000n);
  for (const list of [LATE, ...TROUBLES]) ids.set(list, await submitted(`a kite [[sim:${list}]]`));
});
afterAll(() => system.simulator.setRules([]));

function submitted(prompt: string, body: object = {}): Promise<string> {
  return account.caller.submit({ model: 'videod-02', duration: SECONDS, ...body, prompt }, VIDEOS);
}

const idOf = (list: string) => ids.get(list) ?? '';
const rowOf = (id: string) => system.database.task.findUniqueOrThrow({ where: { id } });

/** The next step is due now, whatever pause it is in. */
const hasten = (id: string) =>
  system.database.task.updateMany({ where: { id, completedAt: null }, data: { nextStepAt: new Date() } });

async function hastened(id: string) {
  await until(async () => {
    await hasten(id);
    return (await rowOf(id)).completedAt !== null;
  });
  return account.caller.ended(id);
}

async function channelsOf(taskId: string): Promise<(string | null)[][]> {
  const attempts = await system.attempts(taskId);
  return attempts.map(({ channelId, fault }) => [channelId, fault]);
}

describe('a video whose link comes late', () => {
  it('is neither ended nor refunded meanwhile, and is charged when it has come', async () => {
    const id = idOf(LATE);
    await until(async () => (await rowOf(id)).failedSteps > 0);
    expect(await rowOf(id)).toMatchObject({ status: 'processing' });
    expect(await system.database.reservation.findMany({ where: { taskId: id } })).toMatchObject([{ state: 'held' }]);
    await system.simulator.moveClock({ advanceMs: LATE_MS });
    expect(await hastened(id)).toMatchObject({ status: 'completed', cost: expect.any(Number) });
    expect(await channelsOf(id)).toHaveLength(1);
  });
});

describe('a video whose vendor has trouble', () => {
  it.each(TROUBLES)('%s ends well, with one start', async (list) => {
    const { status, result } = await hastened(idOf(list));
    expect(status).toBe('completed');
    const file = await download(result?.videos[0]?.url[0]);
    expect(Math.round(watchVideo(file).seconds)).toBe(SECONDS);
    expect(await channelsOf(idOf(list))).toHaveLength(1);
  });

  it('is charged once, and asked about no more than it needs, however often its vendor calls back', async () => {
    const prompt = 'a kite called back [[sim:callbacks=8]]';
    const id = await submitted(prompt, { model: 'videoe-v3' });
    expect(await account.caller.ended(id)).toMatchObject({ status: 'completed' });
    expect(await channelsOf(id)).toHaveLength(1);
    const { tasks } = await system.simulator.tasks('?wire=kling');
    expect(tasks.find((task) => task.prompt.includes('called back'))?.callbacks).toEqual(Array(8).fill(200));
    const checks = (await system.simulator.journal()).filter(
      (entry) => entry.operation === 'check' && entry.prompt?.includes('called back'),
    );
    expect(checks.length).toBeLessThanOrEqual(6);
  });

  it('costs nothing where no vendor takes it, and is told without a word of whose fault it is', async () => {
    const before = await account.caller.balance();
    // A model of one vendor alone.
    const id = await submitted('a kite [[sim:balance]]', { model: 'videoc-v4-fast', resolution: '480p' });
    // As if it had been tried for half a minute.
    await until(async () => (await rowOf(id)).failedSteps > 0);
    await system.database.task.updateMany({ where: { id, completedAt: null }, data: { failedSteps: 5 } });
    const { status, error, cost } = await hastened(id);
    expect({ status, error, cost }).toMatchObject({ status: 'failed', error: { reason: 'no_upstream' } });
    expect(error?.message).not.toMatch(/credit|balance|key|sky/i);
    expect(await account.caller.balance()).toEqual(before);
  });

  it('waits out a throttle, costs nothing meanwhile, and is done afterwards', async () => {
    const id = await submitted('a kite [[sim:throttle-rate=60s,retry-after=0s]]');
    await until(async () => (await channelsOf(id)).length > 0);
    expect(await rowOf(id)).toMatchObject({ completedAt: null, failedSteps: 0 });
    await system.simulator.moveClock({ advanceMs: 60_000 });
    expect((await hastened(id)).status).toBe('completed');
    const refused = (await channelsOf(id)).slice(0, -1);
    expect(new Set(refused.map(([, fault]) => fault))).toEqual(new Set(['rate_limited']));
  });
});
