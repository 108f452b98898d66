import { type ServiceName, type System, startSystem } from '../system/start-system';

const JOBS = 100;
const KILLS = 10;
const UNIT = 1_000_000_000n;

let system: System;
afterEach(() => system.stop());

describe.each([
  ['an image worker that is killed', 'kill', 'image', ['api', 'image', 'reconciler']],
  ['an image worker that runs out of memory', 'starve', 'image', ['api', 'image', 'reconciler']],
  ['the one process of all services but the API that is killed', 'kill', 'serve', ['api', 'serve']],
] as const)('%s, ten times during a hundred jobs', (_case, death, victim, services) => {
  beforeEach(async () => {
    system = await startSystem({
      services: services as readonly ServiceName[],
      env: { SIM_IMAGE_MS: '150', WORKER_CONCURRENCY: '4' },
    });
  });

  it('leaves every job ended, none started twice upstream, and clean books', async () => {
    const { caller, accountId } = await system.account(100n * UNIT);
    const prompts = Array.from({ length: JOBS }, (_, index) => `job ${String(index).padStart(3, '0')} of the hundred`);
    const taskIds = await Promise.all(prompts.map((prompt) => caller.submit({ prompt })));

    // The moments are spread over the run by what the vendors have been asked, not by the clock.
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const asked = (await system.simulator.journal()).length;
      const jitter = Math.floor(Math.random() * 3);
      if (asked < JOBS - 10) await system.simulator.asked(asked + 2 + jitter);
      await system.services[victim][death]();
      await system.services[victim].start();
    }
    const records = await Promise.all(taskIds.map((id) => caller.ended(id, 120_000)));

    const completed = records.filter(({ status }) => status === 'completed').length;
    const failed = records.filter(({ status }) => status === 'failed');
    expect(completed + failed.length).toBe(JOBS);
    expect(completed).toBeGreaterThan(JOBS / 2);
    expect(failed.every(({ error, cost }) => cost === 0 && error?.message.includes('outcome is unknown'))).toBe(true);

    const journal = await system.simulator.journal();
    for (const prompt of prompts) {
      const started = journal.filter((entry) => entry.prompt === prompt && entry.accepted);
      expect(started.length).toBeLessThanOrEqual(1);
    }
    expect(await system.audit()).toEqual([]);
    const account = await system.database.account.findUniqueOrThrow({ where: { id: accountId } });
    const cost = records.reduce((sum, record) => sum + BigInt(Math.round((record.cost ?? 0) * 1e9)), 0n);
    expect({ held: account.heldNano, settled: account.settledNano }).toEqual({ held: 0n, settled: cost });
  }, 240_000);
});
