import { forAllTests } from '@mediagate/testkit';
import type { FaultPoint } from './world/fault-points';
import { inAdvance } from './world/in-advance';
import { openWorld, SHORT_LEASE_MS } from './world/world';

const VARIANTS = ['never', 'idempotent', 'lookup'] as const;
const POINTS = [
  'claimed',
  'intent written',
  'request sent',
  'upstream done',
  'before the end is written',
] as const satisfies readonly FaultPoint[];

const world = forAllTests(() => openWorld({ leaseMs: SHORT_LEASE_MS }));
afterEach(() => world.closeWorkers());

const frozenAt = inAdvance(POINTS, (point) =>
  world.spawnWorker({ fault: { point, tasks: VARIANTS.length, signal: 'SIGSTOP' } }),
);

describe('a worker frozen past its lease', () => {
  it.each(POINTS)('%s: changes nothing when it resumes after another one took over', async (point) => {
    const frozen = await frozenAt(point);
    frozen.takeJobs();
    const tasks = await Promise.all(
      VARIANTS.map(async (model) => {
        const label = world.label(model);
        return { id: await world.submit(label, { model }), label };
      }),
    );
    await frozen.struck;
    await world.startWorker();
    await Promise.all(tasks.map(({ id }) => world.ended(id)));
    const before = await standing();

    frozen.signal('SIGCONT');
    // Asked to end it first finishes what it has in flight.
    frozen.signal('SIGTERM');
    expect(await frozen.exited).toEqual({ code: 0, signal: null });

    expect(await standing()).toEqual(before);
    for (const { label } of tasks) expect(await world.accepted(label)).toBeLessThanOrEqual(1);
    expect(await world.audit()).toEqual([]);
  });

  it.each([
    ['the job that it made the upstream accept', 'accept', 'accepted after the claim was lost', null],
    [
      'links that were the answer itself, and of what they cost',
      'answer',
      'a result came after the task had ended',
      40n,
    ],
  ] as const)('still leaves word of %s', async (_, move, word, costNano) => {
    const fault = { point: 'answer received', tasks: 1, signal: 'SIGSTOP' } as const;
    const frozen = await world.spawnWorker({
      fault,
      channels: [world.channel('never', { costs: { units: { image: 40 } } })],
    });
    frozen.takeJobs();
    const label = world.label('late');
    await world.upstream.instruct(label, { starts: [move], outputs: 1 });
    const id = await world.submit(label, { model: 'never' });
    await frozen.struck;
    await world.startWorker();
    await world.ended(id);
    expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', externalId: null }]);

    frozen.signal('SIGCONT');
    frozen.signal('SIGTERM');
    expect(await frozen.exited).toEqual({ code: 0, signal: null });
    const late = { externalId: expect.any(String), detail: expect.stringContaining(`late: ${word}`), costNano };
    expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', ...late }]);
  });
});

/** Everything that a caller or the books could tell apart, and every attempt's fate. */
async function standing() {
  const { database } = world;
  return {
    tasks: await database.task.findMany({ orderBy: { id: 'asc' } }),
    reservations: await database.reservation.findMany({ orderBy: { taskId: 'asc' } }),
    entries: await database.ledgerEntry.findMany({ orderBy: { id: 'asc' } }),
    accounts: await database.account.findMany(),
    attempts: await database.taskAttempt.findMany({
      select: { id: true, taskId: true, state: true, endedAt: true, usage: true },
      orderBy: { id: 'asc' },
    }),
  };
}
