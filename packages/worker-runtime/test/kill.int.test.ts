import { newTaskId, type TaskId } from '@mediagate/contracts';
import { forAllTests, runSql, until } from '@mediagate/testkit';
import { StepGate } from '../src/step-gate';
import { FAULT_POINTS, type FaultPoint } from './world/fault-points';
import { openWorld, SHORT_LEASE_MS } from './world/world';

const VARIANTS = ['never', 'idempotent', 'lookup'] as const;

/** Points at which nobody can tell any more whether the upstream took the job. */
const IN_DOUBT: readonly FaultPoint[] = ['intent written', 'request sent', 'answer received'];
/** At the first of them nothing was sent yet. */
const SENT: readonly FaultPoint[] = ['request sent', 'answer received'];

/** They stand at their points together: an account may have half of the worker's slots. */
const CONCURRENCY = 64;
const TASKS = FAULT_POINTS.flatMap((point) =>
  VARIANTS.map((model) => ({ point, model, label: `${model}: ${point}`, taskId: newTaskId() })),
);
/** Its links are the answer to the start itself. */
const ANSWERED = { point: 'operation saved', label: 'answered', taskId: newTaskId() } as const;

const world = forAllTests(() => openWorld({ leaseMs: SHORT_LEASE_MS }));
afterEach(() => world.closeWorkers());

describe('a worker killed in mid-step', () => {
  beforeAll(async () => {
    const at = Object.fromEntries([...TASKS, ANSWERED].map(({ taskId, point }) => [taskId, point]));
    const victim = await world.spawnWorker({ concurrency: CONCURRENCY, fault: { at, signal: 'SIGKILL' } });
    victim.takeJobs();
    await world.upstream.instruct(ANSWERED.label, { starts: ['answer'], outputs: 2 });
    await world.submit(ANSWERED.label, { taskId: ANSWERED.taskId, n: 2 });
    await Promise.all(TASKS.map(({ label, model, taskId }) => world.submit(label, { model, taskId })));
    expect(await victim.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await world.startWorker({ concurrency: CONCURRENCY });
    await Promise.all([...TASKS, ANSWERED].map(({ taskId }) => world.ended(taskId)));
  });

  it.each(TASKS)('$point, $model: the task ends, never starts twice, and its books are right', async (one) => {
    const { point, model, label, taskId } = one;
    const task = await world.task(taskId);
    const [attempt, ...others] = await world.attempts(taskId);
    const starts = (await world.journalOf(label)).filter(({ event }) => ['accepted', 'replayed'].includes(event));
    const refunded = model === 'never' && IN_DOUBT.includes(point);

    expect(others).toEqual([]);
    expect({ status: task.status, cost: task.costNano }).toEqual(
      refunded ? { status: 'failed', cost: 0n } : { status: 'completed', cost: 100n },
    );
    expect(attempt).toMatchObject(
      refunded ? { state: 'unknown', fault: 'outcome_unknown' } : { state: 'succeeded', fault: null },
    );
    expect(starts.map(({ event }) => event)).toEqual(expectedStarts(point, model));
    if (model !== 'never') for (const { reference } of starts) expect(reference).toBe(attempt?.id);
  });

  it('leaves links that it has saved, and that were the answer itself, to the next one: they are paid, and nobody asks again', async () => {
    const { label, taskId } = ANSWERED;
    expect(await world.task(taskId)).toMatchObject({ status: 'completed', costNano: 200n, attemptsMade: 1 });
    expect(await world.accepted(label)).toBe(1);
    expect(await world.attempts(taskId)).toMatchObject([
      { state: 'succeeded', answer: expect.stringContaining('HTTP') },
    ]);
    expect(await world.database.mediaObject.count({ where: { taskId } })).toBe(2);
  });

  it('leaves books that add up', async () => {
    expect(await world.audit()).toEqual([]);
  });
});

describe('a task that is suspected of killing its workers', () => {
  /** Two of its steps ended with their worker. */
  async function suspected(label: string): Promise<TaskId> {
    const id = await world.submit(label, { enqueue: false });
    await runSql(world.database, 'update tasks set lost_steps = 2 where id = $1', [id]);
    await world.queues.enqueueTask({ family: 'tts', taskId: id, fence: 0 });
    return id;
  }

  async function callThatTakesLong(): Promise<TaskId> {
    const label = world.label('long');
    await world.upstream.instruct(label, { starts: ['accept and hold'] });
    const id = await world.submit(label);
    await until(async () => (await world.accepted(label)) === 1, 'the upstream has it');
    return id;
  }

  const startGated = (quietWithinMs: number) => {
    const gate = new StepGate({ quietWithinMs, maxTurnMs: 60_000 });
    return world.startWorker({ wrap: (deps) => ({ ...deps, gate }) }).then((worker) => ({ ...worker, gate }));
  };

  it('keeps calls that cannot be repeated back while it waits for one, and neither checks nor other calls', async () => {
    const { gate } = await startGated(120_000);
    const checked = world.label('checked');
    await world.upstream.instruct(checked, { checks: ['running'] });
    const accepted = await world.submit(checked);
    await until(async () => (await world.task(accepted)).attemptState === 'accepted', 'it is accepted');
    const calling = await callThatTakesLong();
    const waiting = await suspected(world.label('suspect'));
    await until(async () => gate.isClosed, 'it waits for its turn');
    const keptBack = await world.submit(world.label('kept-back'));

    await world.upstream.instruct(checked, {});
    expect(await world.ended(accepted)).toMatchObject({ status: 'completed' });
    const repeatable = await world.submit(world.label('repeatable'), { model: 'idempotent' });
    expect(await world.ended(repeatable)).toMatchObject({ status: 'completed' });
    await until(async () => (await world.task(keptBack)).fence > 0, 'it was claimed');
    expect([await world.attempts(keptBack), await world.attempts(waiting), gate.isClosed]).toEqual([[], [], true]);

    await world.upstream.release();
    for (const id of [calling, waiting, keptBack]) {
      expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n, lostSteps: 0 });
    }
    expect(await world.audit()).toEqual([]);
  });

  it('comes back after a pause where the call does not end, and is refunded, unsent, as its time runs out', async () => {
    const { gate, logged } = await startGated(50);
    const calling = await callThatTakesLong();
    const waiting = await suspected(world.label('suspect'));
    await until(async () => logged.some(({ event }) => event === 'task.not_alone'), 'it did not get its turn');
    expect(gate.isClosed).toBe(false);
    expect(await world.ended(await world.submit(world.label('next')))).toMatchObject({ status: 'completed' });
    await until(async () => (await world.task(waiting)).leaseUntil === null, 'it gives its claim back');
    expect(await world.task(waiting)).toMatchObject({ lostSteps: 2, completedAt: null });

    await runSql(world.database, `update tasks set created_at = created_at - interval '1 hour' where id = $1`, [
      waiting,
    ]);
    expect(await world.hastened(waiting)).toMatchObject({
      status: 'failed',
      costNano: 0n,
      error: { reason: 'internal_error' },
    });
    expect(await world.attempts(waiting)).toEqual([]);
    await world.upstream.release();
    expect(await world.ended(calling)).toMatchObject({ status: 'completed' });
    expect(await world.audit()).toEqual([]);
  });
});

/** Starts that the upstream's own record must show: one job accepted at most, and only an enforced key is ever sent twice. */
function expectedStarts(point: FaultPoint, model: (typeof VARIANTS)[number]): string[] {
  if (model === 'never' && point === 'intent written') return [];
  if (model === 'idempotent' && SENT.includes(point)) return ['accepted', 'replayed'];
  return ['accepted'];
}
