import { setTimeout as delay } from 'node:timers/promises';
import type { TaskId } from '@mediagate/contracts';
import { forAllTests } from '@mediagate/testkit';
import { createCanceller } from './world/canceller';
import { openWorld, SHORT_LEASE_MS } from './world/world';

const TASKS = 100;
/** Over which the cancellations are spread: before, while and after the upstream works on a task. */
const SPREAD_MS = 2000;

const world = forAllTests(() => openWorld({ leaseMs: SHORT_LEASE_MS }));

it('cancellations that race with starts, ends and the death of workers leave exact books, and each task ends once', async () => {
  const cancel = createCanceller(world);
  const victims = await Promise.all([world.spawnWorker(), world.spawnWorker()]);
  for (const victim of victims) victim.takeJobs();

  const racing = Promise.all(Array.from({ length: TASKS }, (_, index) => race(index)));
  for (const victim of victims) {
    await delay(SPREAD_MS / 3);
    await victim.kill();
  }
  await world.startWorker();

  const raced = await racing;
  const ended = await Promise.all(raced.map(({ id }) => world.ended(id)));
  const journal = await world.upstream.journal();
  const entries = await world.database.ledgerEntry.findMany({
    where: { taskId: { not: null } },
    orderBy: { id: 'asc' },
  });
  for (const [index, { id, label, outcomes }] of raced.entries()) {
    const { status, error } = ended[index] as (typeof ended)[number];
    const isCancelled = status === 'failed' && (error as { reason: string }).reason === 'cancelled';
    // Every end that was reported is true; a request that stood may have taken effect later.
    const told = outcomes.filter((kind) => kind !== 'requested' && kind !== 'started');
    expect(new Set(told)).toEqual(new Set(told.length === 0 ? [] : [isCancelled ? 'cancelled' : 'ended']));
    const kinds = entries.filter(({ taskId }) => taskId === id).map(({ kind }) => kind);
    expect(kinds).toEqual(['hold', status === 'completed' ? 'settle' : 'refund']);
    const events = journal.filter((entry) => entry.label === label).map(({ event }) => event);
    expect(events.filter((event) => event === 'accepted').length).toBeLessThanOrEqual(1);
    // A job that the upstream has stopped is not paid.
    if (events.includes('cancelled')) expect(status).toBe('failed');
  }
  expect(await world.audit()).toEqual([]);

  /** One task, which two callers cancel at moments of their own. */
  async function race(index: number): Promise<{ id: TaskId; label: string; outcomes: (string | undefined)[] }> {
    const label = world.label('race');
    const model = index % 3 === 0 ? 'never' : 'idempotent';
    await world.upstream.instruct(label, { checks: ['queued', 'running', 'running', 'done'] });
    const id = await world.submit(label, { model });
    const outcomes = await Promise.all(
      [Math.random(), Math.random()].map(async (share) => {
        await delay(share * SPREAD_MS);
        return (await cancel(id))?.kind;
      }),
    );
    return { id, label, outcomes };
  }
});
