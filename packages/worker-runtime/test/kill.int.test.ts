import { FAULT_POINTS, type FaultPoint } from './world/fault-points';
import { inAdvance } from './world/in-advance';
import { openWorld, type World } from './world/world';

const VARIANTS = ['never', 'idempotent', 'lookup'] as const;
const TASKS_EACH = 2;

/** Points at which nobody can tell any more whether the upstream took the job. */
const IN_DOUBT: readonly FaultPoint[] = ['intent written', 'request sent', 'answer received'];
/** At the first of them nothing was sent yet. */
const SENT: readonly FaultPoint[] = ['request sent', 'answer received'];

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
afterEach(() => world.closeWorkers());

const victimOf = inAdvance(FAULT_POINTS, (point) =>
  world.spawnWorker({ fault: { point, tasks: VARIANTS.length * TASKS_EACH, signal: 'SIGKILL' } }),
);

describe('a worker killed in mid-step', () => {
  it.each(FAULT_POINTS)('%s: every task ends, none starts twice, the books are right', async (point) => {
    const victim = await victimOf(point);
    victim.takeJobs();
    const tasks = await Promise.all(
      VARIANTS.flatMap((model) => Array.from({ length: TASKS_EACH }, () => submit(model))),
    );
    expect(await victim.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await world.startWorker();

    for (const { id, label, model } of tasks) {
      const task = await world.ended(id);
      const [attempt, ...others] = await world.attempts(id);
      const starts = (await world.journalOf(label)).filter(({ event }) => ['accepted', 'replayed'].includes(event));
      const refunded = model === 'never' && IN_DOUBT.includes(point);

      expect(others).toEqual([]);
      expect({ point, model, status: task.status, cost: task.costNano }).toEqual(
        refunded ? { point, model, status: 'failed', cost: 0n } : { point, model, status: 'completed', cost: 100n },
      );
      expect(attempt).toMatchObject(
        refunded ? { state: 'unknown', fault: 'outcome_unknown' } : { state: 'succeeded', fault: null },
      );
      expect(starts.map(({ event }) => event)).toEqual(expectedStarts(point, model));
      if (model !== 'never') for (const { reference } of starts) expect(reference).toBe(attempt?.id);
    }
    expect(await world.audit()).toEqual([]);
  });
});

async function submit(model: (typeof VARIANTS)[number]) {
  const label = world.label(model);
  return { id: await world.submit(label, { model }), label, model };
}

/** What the upstream's own record must say: one job accepted at most, and only an enforced key is ever sent twice. */
function expectedStarts(point: FaultPoint, model: (typeof VARIANTS)[number]): string[] {
  if (model === 'never' && point === 'intent written') return [];
  if (model === 'idempotent' && SENT.includes(point)) return ['accepted', 'replayed'];
  return ['accepted'];
}
