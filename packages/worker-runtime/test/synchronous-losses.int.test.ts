import { newTaskId } from '@mediagate/contracts';
import { until } from '@mediagate/testkit';
import { type Callers, openCallers } from './world/callers';
import type { FaultPoint } from './world/fault-points';
import { openWorld, SHORT_LEASE_MS, type World } from './world/world';

/** The fault points that a synchronous task passes. */
const POINTS = [
  'before the claim',
  'claimed',
  'intent written',
  'request sent',
  'answer received',
  'before the end is written',
  'after the end was written',
] as const satisfies readonly FaultPoint[];
/** At these nothing was written yet but the claim, so that another worker can take the task. */
const UNMET: readonly FaultPoint[] = ['before the claim', 'claimed'];
const TASKS = 3;

let world: World;
let callers: Callers;
beforeAll(async () => {
  world = await openWorld({ leaseMs: SHORT_LEASE_MS });
  callers = await openCallers(world);
});
afterAll(async () => {
  await callers.close();
  await world.close();
});
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

/** Calls to a process that is struck once each of them stands at the point. */
async function callVictim(point: FaultPoint, signal: 'SIGKILL' | 'SIGSTOP') {
  const taskIds = Array.from({ length: TASKS }, newTaskId);
  const at = Object.fromEntries(taskIds.map((taskId) => [taskId, point]));
  const victim = await world.spawnWorker({ fault: { at, signal } });
  victim.takeJobs();
  return { victim, calls: await Promise.all(taskIds.map((taskId) => callers.call({ taskId }))) };
}

it.each(POINTS)(
  'a worker is killed, %s: every caller gets a whole answer that is paid, or an end and a refund',
  async (point) => {
    const { victim, calls } = await callVictim(point, 'SIGKILL');
    expect(await victim.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await world.startWorker();
    for (const { id, label, heard } of calls) {
      const { bytes, last, ended } = await heard;
      const { status, costNano } = await world.ended(id);
      const seen = { kind: last.kind, bytes: bytes.length, won: ended?.won, status, costNano };
      if (UNMET.includes(point)) {
        expect(seen).toMatchObject({ kind: 'settled', bytes: 1000, status: 'completed', costNano: 100n });
      } else if (point === 'after the end was written') {
        // The answer is not known to be whole, and the task says what it came to.
        expect(seen).toMatchObject({ kind: 'worker_lost', won: false, status: 'completed', costNano: 100n });
      } else {
        // With its intent written it may not have reached the process that waits: then the next worker ends the task.
        const isUnheard = point === 'intent written' && last.kind === 'failed';
        const lost = isUnheard ? {} : { kind: 'worker_lost', won: true };
        expect(seen).toMatchObject({ ...lost, status: 'failed', costNano: 0n });
      }
      expect(await world.accepted(label)).toBe(point === 'intent written' ? 0 : 1);
    }
  },
);

describe('a worker killed while it waits for the vendor of a caller who has left', () => {
  it.each(['the API', 'another worker'] as const)(
    'leaves an end that %s settles: what was sent is paid',
    async (who) => {
      const victim = await world.spawnWorker();
      victim.takeJobs();
      const label = world.label('live');
      await world.upstream.instruct(label, { starts: ['accept and hold'] });
      const own = await openCallers(world);
      const { id, listening, heard } = await own.call({ label });
      await until(async () => (await world.accepted(label)) === 1, 'the vendor was asked');
      listening.leave();
      const row = () => world.database.task.findUniqueOrThrow({ where: { id } });
      await until(async () => (await row()).endIfAbandoned !== null, 'its end is kept');
      if (who === 'another worker') await own.close();
      await victim.kill();
      if (who === 'another worker') await world.startWorker();
      else expect((await heard).ended).toMatchObject({ won: true });
      expect(await world.ended(id)).toMatchObject({ status: 'completed', costNano: 100n, result: null });
      expect(await world.attempts(id)).toMatchObject([{ state: 'unknown', fault: 'outcome_unknown' }]);
      expect(await world.accepted(label)).toBe(1);
      await own.close();
    },
  );
});

it.each(['request sent', 'before the end is written'] as const)(
  'a worker is frozen, %s: its tasks end with a refund once its leases have lapsed, and it changes nothing when it resumes',
  async (point) => {
    const { victim, calls } = await callVictim(point, 'SIGSTOP');
    await victim.struck;
    await world.startWorker();
    for (const { id } of calls) expect(await world.ended(id)).toMatchObject({ status: 'failed', costNano: 0n });
    const standing = () => Promise.all(calls.map(({ id }) => world.task(id)));
    const before = await standing();

    victim.signal('SIGCONT');
    // Asked to end it first finishes what it has in flight.
    victim.signal('SIGTERM');
    expect(await victim.exited).toEqual({ code: 0, signal: null });
    expect(await standing()).toEqual(before);
  },
);
