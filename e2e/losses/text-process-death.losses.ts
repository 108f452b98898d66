import { setTimeout as delay } from 'node:timers/promises';
import { createCaller } from '../system/caller';
import { freePort } from '../system/service-process';
import { type System, type SystemAccount, startSystem } from '../system/start-system';
import { costOf, openTextStream } from './text-stream';

const UNIT = 1_000_000_000n;
const PATH = '/v1beta/models/text-2.5-flash:generateContent';
/** 27 s by the constants of lease and reconciler; the rest is for a machine that is busy. */
const ENDED_WITHIN_MS = 90_000;
/** Longer than the others take to end, whatever the machine does meanwhile; the vendors' clock is then moved on. */
const LIVING_MS = 280_000;

let system: System<'api' | 'reconciler'>;
beforeAll(async () => {
  system = await startSystem({ services: ['api', 'reconciler'] });
});
afterAll(() => system.stop());

/** One more API process, and where to ask it. */
async function startApi() {
  const port = String(await freePort());
  return { process: await system.another('api', { PORT: port }), url: `http://127.0.0.1:${port}` };
}

/** Nobody waits for the answers: their processes die, or their tasks tell of them. */
const ask = (url: string, { key }: SystemAccount, scenario: string) =>
  createCaller(url, key)
    .post(PATH, { contents: [{ parts: [{ text: `Why do lighthouses blink? [[sim:${scenario}]]` }] }] })
    .catch(() => undefined);

const tasksOf = ({ accountId }: SystemAccount) => system.database.task.findMany({ where: { accountId } });
const standing = async ({ accountId }: SystemAccount) => {
  const { heldNano, settledNano } = await system.database.account.findUniqueOrThrow({
    where: { id: accountId },
  });
  return { held: heldNano, settled: settledNano };
};
const haveEnded = async (account: SystemAccount) =>
  (await tasksOf(account)).every(({ status }) => status === 'completed' || status === 'failed');

/** Longer than other tests wait: leases take their time to lapse. */
async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + 2 * ENDED_WITHIN_MS; !(await holds()); ) {
    if (Date.now() > limit) throw new Error('it did not come to that');
    await delay(100);
  }
}

it('texts of a killed API process that had passed nothing on are refunded within half a minute, those of one that lives go on, and one that was frozen settles nothing', async () => {
  const [dying, freezing] = await Promise.all([startApi(), startApi()]);
  const [ofDying, ofFreezing, ofLiving] = await Promise.all([1, 2, 3].map(() => system.account(10n * UNIT)));
  if (!ofDying || !ofFreezing || !ofLiving) throw new Error('three accounts');

  for (let count = 0; count < 20; count += 1) void ask(dying.url, ofDying, 'latency=120s');
  void ask(freezing.url, ofFreezing, 'latency=20s');
  const answered = ask(system.baseUrl, ofLiving, `latency=${LIVING_MS / 1000}s`);
  await system.simulator.asked(22);

  const diedAt = Date.now();
  process.kill(freezing.process.pid(), 'SIGSTOP');
  await dying.process.kill();
  await waitFor(async () => (await haveEnded(ofDying)) && (await haveEnded(ofFreezing)));
  for (const task of [...(await tasksOf(ofDying)), ...(await tasksOf(ofFreezing))]) {
    expect(task).toMatchObject({ status: 'failed', costNano: 0n, fence: 1 });
    expect((task.completedAt?.getTime() ?? Infinity) - diedAt).toBeLessThan(ENDED_WITHIN_MS);
  }
  expect(await standing(ofDying)).toEqual({ held: 0n, settled: 0n });

  // The vendor has answered meanwhile: the process resumes with a text that it would settle.
  process.kill(freezing.process.pid(), 'SIGCONT');
  await waitFor(async () => freezing.process.log().includes('text.settlement_lost'));
  expect(await standing(ofFreezing)).toEqual({ held: 0n, settled: 0n });

  expect(await tasksOf(ofLiving)).toMatchObject([{ status: 'processing', fence: 0 }]);
  await system.simulator.moveClock({ advanceMs: LIVING_MS });
  expect(await answered).toMatchObject({ status: 200 });
  await waitFor(() => haveEnded(ofLiving));
  expect(await tasksOf(ofLiving)).toMatchObject([{ status: 'completed', fence: 0 }]);
  expect((await standing(ofLiving)).settled).toBeGreaterThan(0n);
  expect(await system.audit()).toEqual([]);
}, 240_000);

it('texts of a killed API process are charged for what their callers had by the last renewal, and who had left for what was sent', async () => {
  const dying = await startApi();
  const [ofStreams, ofLeaver] = await Promise.all([1, 2].map(() => system.account(10n * UNIT)));
  if (!ofStreams || !ofLeaver) throw new Error('two accounts');
  const before = (await system.simulator.journal()).length;
  const streams = ['1/4', '1/2', '3/4'].map((share) =>
    openTextStream(dying.url, ofStreams.key, `A long letter about lighthouses. [[sim:stream-stall=${share}]]`),
  );
  const leaver = openTextStream(dying.url, ofLeaver.key, `It is not read. [[sim:latency=${LIVING_MS / 1000}s]]`);
  await system.simulator.asked(before + 4);
  leaver.leave();
  const accountIds = [ofStreams.accountId, ofLeaver.accountId];
  await waitFor(async () => {
    const tasks = await system.database.task.findMany({ where: { accountId: { in: accountIds } } });
    return tasks.filter(({ endIfAbandoned }) => endIfAbandoned !== null).length === 4;
  });
  await dying.process.kill();
  await waitFor(async () => (await haveEnded(ofStreams)) && (await haveEnded(ofLeaver)));

  const charged = (await tasksOf(ofStreams)).map(({ costNano }) => costNano ?? 0n);
  const byAmount = (one: bigint, other: bigint) => Number(one - other);
  expect(charged.sort(byAmount)).toEqual(streams.map(({ pieces }) => costOf(pieces())).sort(byAmount));
  for (const task of await tasksOf(ofStreams)) {
    // The takeover raises the fence, and so does an end that the process had kept.
    expect(task).toMatchObject({ status: 'completed', fence: 2, endIfAbandoned: null });
    expect(task.costNano).toBeLessThan(task.reservedNano);
    const attempts = await system.database.taskAttempt.findMany({ where: { taskId: task.id } });
    expect(attempts).toMatchObject([{ state: 'unknown', detail: 'this process ended' }]);
  }
  const sum = charged.reduce((total, nano) => total + nano, 0n);
  expect(await standing(ofStreams)).toEqual({ held: 0n, settled: sum });
  expect(await tasksOf(ofLeaver)).toMatchObject([{ status: 'completed', usage: { output_tokens: 0 } }]);
  expect((await standing(ofLeaver)).settled).toBeGreaterThan(0n);
  expect(await system.audit()).toEqual([]);
}, 240_000);
