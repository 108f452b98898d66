import { newTaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import type { StartMove } from './generic-upstream/script';
import { STAGE_FAULT_POINTS } from './world/fault-points';
import { openWorld, SHORT_LEASE_MS, type SubmitOptions } from './world/world';

const world = forAllTests(openWorld);
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

/** A task whose job has a second stage, started with the moves from the second on. */
async function staged(name: string, options: SubmitOptions & { moves?: StartMove[] } = {}) {
  const { moves = [], ...submitted } = options;
  const label = world.label(name);
  await world.upstream.instruct(label, { staged: true, starts: ['accept', ...moves, 'accept'] });
  return { label, id: await world.submit(label, submitted) };
}

const UNKNOWN = {
  status: 'failed',
  costNano: 0n,
  error: { message: 'The generation was interrupted and its outcome is unknown. You were not charged.' },
};

describe('a job of two stages', () => {
  it('is one attempt and one settlement, and is known by what its second stage is called', async () => {
    await world.startWorker();
    const { label, id } = await staged('staged');
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n, attemptsMade: 1 });
    const jobs = (await world.journalOf(label)).filter(({ event }) => event === 'accepted').map(({ job }) => job);
    expect(jobs).toHaveLength(2);
    expect(await world.attempts(id)).toMatchObject([{ state: 'succeeded', externalId: jobs[1] }]);
  });

  it.each<[why: string, moves: StartMove[]]>([
    ['is busy', [{ status: 429, retryAfterSeconds: 0.1 }, { status: 429 }]],
    ['is away', [{ status: 503 }, { status: 500 }, { status: 503 }]],
  ])('goes on from where it was when the vendor %s in between: the first stage is made once', async (_why, moves) => {
    await world.startWorker();
    const { label, id } = await staged('patient', { moves });
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n, attemptsMade: 1 });
    expect(await world.accepted(label)).toBe(2);
  });

  it.each<[why: string, move: StartMove, message: string]>([
    ['forbids it', { status: 422 }, 'The request was rejected by the content policy of the model.'],
    ['has no such operation', { status: 501 }, 'The model has no such operation.'],
  ])('is refunded when the vendor %s', async (_why, move, message) => {
    await world.startWorker();
    const { label, id } = await staged('refused', { moves: [move] });
    expect(await world.hastened(id)).toMatchObject({ status: 'failed', costNano: 0n, error: { message } });
    expect(await world.accepted(label)).toBe(1);
  });

  it.each<StartMove>(['accept and drop', 'accept and garble'])(
    'is given up with a refund, and not sent again, when the answer to its second start is lost (%s)',
    async (move) => {
      await world.startWorker();
      const { label, id } = await staged('lost', { moves: [move] });
      expect(await world.hastened(id)).toMatchObject(UNKNOWN);
      expect(await world.accepted(label)).toBe(2);
      expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', fault: 'outcome_unknown' }]);
    },
  );
});

it('a worker killed between two stages: nothing is started twice, and the books are right', async () => {
  const jobs = STAGE_FAULT_POINTS.map((point) => ({ point, taskId: newTaskId() }));
  const at = Object.fromEntries(jobs.map(({ point, taskId }) => [taskId, point]));
  const victim = await world.spawnWorker({ leaseMs: SHORT_LEASE_MS, fault: { at, signal: 'SIGKILL' } });
  victim.takeJobs();
  const started = await Promise.all(
    jobs.map(async ({ point, taskId }) => ({ point, ...(await staged('killed', { taskId })) })),
  );
  expect(await victim.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await world.startWorker();
  for (const { point, label, id } of started) {
    const end = point === 'stage done' ? { status: 'completed', costNano: 100n } : UNKNOWN;
    expect([point, await world.ended(id)]).toMatchObject([point, end]);
    expect([point, await world.accepted(label)]).toEqual([point, point === 'stage intent written' ? 1 : 2]);
  }
});
