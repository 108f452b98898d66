import { setTimeout as delay } from 'node:timers/promises';
import { createCaller } from '../system/caller';
import { freePort } from '../system/service-process';
import { type System, type SystemAccount, startSystem } from '../system/start-system';

const UNIT = 1_000_000_000n;
const PATH = '/v1beta/models/text-2.5-flash:generateContent';
/** 27 s by the constants of lease and reconciler; the rest is for a machine that is busy. */
const ENDED_WITHIN_MS = 45_000;
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

it('texts of a killed API process are refunded within half a minute, those of one that lives go on, and one that was frozen settles nothing', async () => {
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
  await system.simulator.advance(LIVING_MS);
  expect(await answered).toMatchObject({ status: 200 });
  await waitFor(() => haveEnded(ofLiving));
  expect(await tasksOf(ofLiving)).toMatchObject([{ status: 'completed', fence: 0 }]);
  expect((await standing(ofLiving)).settled).toBeGreaterThan(0n);
  expect(await system.audit()).toEqual([]);
}, 240_000);
