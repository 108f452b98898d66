import { type System, startSystem } from '../system/start-system';

const JOBS = 200;
const KILLS = 10;
const UNIT = 1_000_000_000n;
const VIDEOS = '/v1/videos/generations';

/** One of each vendor protocol. */
const BODIES = [
  { model: 'videoa-3.0-video', resolution: '480P', duration: 2 },
  { model: 'videoc-v4-fast', resolution: '480p', duration: 3 },
  { model: 'videod-02', resolution: '768p', duration: 5 },
  { model: 'videoe-v3', duration: 3 },
] as const;

let system: System<'api' | 'video' | 'reconciler'>;
beforeAll(async () => {
  system = await startSystem({ services: ['api', 'video', 'reconciler'], env: { WORKER_CONCURRENCY: '8' } });
});
afterAll(() => system.stop());

describe('a video worker that is killed ten times during two hundred jobs', () => {
  it('leaves every job ended, none started twice at a vendor, and clean books', async () => {
    const { caller, accountId } = await system.account(1000n * UNIT);
    // One video serves all: the vendors draw what stands before the directive, and take as long as that says.
    const prompts = Array.from({ length: JOBS }, (_, index) => `a kite [[sim:latency=${1000 + index}ms]]`);
    const taskIds = await Promise.all(
      prompts.map((prompt, index) => caller.submit({ ...BODIES[index % BODIES.length], prompt }, VIDEOS)),
    );

    for (let kill = 1; kill <= KILLS; kill += 1) {
      const started = (await starts()).length;
      if (started < JOBS - 30) await system.simulator.asked(started + 5 + Math.floor(Math.random() * 15));
      await system.services.video.kill();
      await system.services.video.start();
    }
    const records = await Promise.all(taskIds.map((id) => caller.ended(id, 150_000)));

    const failed = records.filter(({ status }) => status === 'failed');
    expect(records.filter(({ status }) => status === 'completed').length + failed.length).toBe(JOBS);
    expect(failed.length).toBeLessThan(JOBS / 2);
    expect(failed.filter(({ error, cost }) => cost !== 0 || !error?.message.includes('outcome is unknown'))).toEqual(
      [],
    );

    const accepted = (await starts()).map(({ prompt }) => prompt);
    expect(accepted.filter((prompt, index) => accepted.indexOf(prompt) !== index)).toEqual([]);
    expect(await system.audit()).toEqual([]);
    const account = await system.database.account.findUniqueOrThrow({ where: { id: accountId } });
    const cost = records.reduce((sum, record) => sum + BigInt(Math.round((record.cost ?? 0) * 1e9)), 0n);
    expect({ held: account.heldNano, settled: account.settledNano }).toEqual({ held: 0n, settled: cost });
  }, 240_000);
});

async function starts() {
  return (await system.simulator.journal()).filter(({ accepted, operation }) => accepted && operation === 'start');
}
