import { newTaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import type { FaultPoint } from './world/fault-points';
import { openWorld, SHORT_LEASE_MS } from './world/world';

const VARIANTS = ['never', 'idempotent', 'lookup'] as const;
const POINTS = [
  'claimed',
  'intent written',
  'request sent',
  'upstream done',
  'before the end is written',
] as const satisfies readonly FaultPoint[];
const TASKS = POINTS.flatMap((point) =>
  VARIANTS.map((model) => ({ point, model, label: `${model}: ${point}`, taskId: newTaskId() })),
);

/** Only the frozen worker knows their answers. */
const LATE = [
  {
    of: 'the job that it made the upstream accept',
    move: 'accept',
    word: 'accepted after the claim was lost',
    costNano: null,
  },
  {
    of: 'links that were the answer itself, and of what they cost',
    move: 'answer',
    word: 'a result came after the task had ended',
    costNano: 40n,
  },
].map((late) => ({
  ...late,
  point: 'answer received' as const,
  model: 'never' as const,
  label: `late: ${late.move}`,
  taskId: newTaskId(),
}));
const ALL = [...TASKS, ...LATE];
/** They stand at their points together: an account may have half of the worker's slots. */
const CONCURRENCY = 64;

const world = forAllTests(() => openWorld({ leaseMs: SHORT_LEASE_MS }));

describe('a worker frozen past its lease', () => {
  let before: Awaited<ReturnType<typeof standing>>;
  let givenUp: unknown[];

  beforeAll(async () => {
    const at = Object.fromEntries(ALL.map(({ taskId, point }) => [taskId, point]));
    const frozen = await world.spawnWorker({
      concurrency: CONCURRENCY,
      fault: { at, signal: 'SIGSTOP' },
      channels: VARIANTS.map((protocol) => world.channel(protocol, { protocol, costs: { units: { image: 40 } } })),
    });
    frozen.takeJobs();
    for (const { label, move } of LATE) {
      await world.upstream.instruct(label, { starts: [move as 'accept' | 'answer'], outputs: 1 });
    }
    await Promise.all(ALL.map(({ label, model, taskId }) => world.submit(label, { model, taskId })));
    await frozen.struck;
    await world.startWorker({ concurrency: CONCURRENCY });
    await Promise.all(ALL.map(({ taskId }) => world.ended(taskId)));
    before = await standing();
    givenUp = await Promise.all(LATE.map(({ taskId }) => world.attempts(taskId)));

    frozen.signal('SIGCONT');
    // Asked to end it first finishes what it has in flight.
    frozen.signal('SIGTERM');
    expect(await frozen.exited).toEqual({ code: 0, signal: null });
  });

  it('changes nothing when it resumes after another one took over', async () => {
    expect(await standing()).toEqual(before);
    expect(await world.audit()).toEqual([]);
  });

  it.each(TASKS)('$point, $model: the job was accepted once at most', async ({ label }) => {
    expect(await world.accepted(label)).toBeLessThanOrEqual(1);
  });

  it.each(LATE)('still leaves word of $of', async ({ taskId, word, costNano }) => {
    expect(givenUp).toEqual(LATE.map(() => [expect.objectContaining({ state: 'unknown', externalId: null })]));
    const late = { externalId: expect.any(String), detail: expect.stringContaining(`late: ${word}`), costNano };
    expect(await world.attempts(taskId)).toMatchObject([{ state: 'unknown', ...late }]);
  });
});

/** Everything that a caller or the books could tell apart, and every attempt's fate; of late answers the books, not what became known. */
async function standing() {
  const { database } = world;
  const notIn = LATE.map(({ taskId }) => taskId);
  return {
    tasks: await database.task.findMany({ where: { id: { notIn } }, orderBy: { id: 'asc' } }),
    reservations: await database.reservation.findMany({ where: { taskId: { notIn } }, orderBy: { taskId: 'asc' } }),
    entries: await database.ledgerEntry.findMany({ orderBy: { id: 'asc' } }),
    accounts: await database.account.findMany(),
    attempts: await database.taskAttempt.findMany({
      where: { taskId: { notIn } },
      select: { id: true, taskId: true, state: true, endedAt: true, usage: true },
      orderBy: { id: 'asc' },
    }),
  };
}
