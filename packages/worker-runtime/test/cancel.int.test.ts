import type { TaskId } from '@mediagate/contracts';
import { forAllTests, until } from '@mediagate/testkit';
import type { Script } from './generic-upstream/script';
import { createCanceller } from './world/canceller';
import { openWorld } from './world/world';

let cancel: ReturnType<typeof createCanceller>;
const world = forAllTests(openWorld);
beforeAll(async () => {
  cancel = createCanceller(world);
});
afterEach(async () => {
  await world.closeWorkers();
  expect(await world.audit()).toEqual([]);
});

/** A job that its upstream works on for as long as nobody stops it. */
async function acceptedJob(script: Script = {}, model = 'idempotent'): Promise<{ id: TaskId; label: string }> {
  const label = world.label('cancel');
  await world.upstream.instruct(label, { checks: ['running'], ...script });
  const id = await world.submit(label, { model });
  await untilState(id, 'accepted');
  return { id, label };
}

async function untilState(id: TaskId, attemptState: 'starting' | 'accepted'): Promise<void> {
  await until(async () => (await world.task(id)).attemptState === attemptState, `its attempt is ${attemptState}`);
}

async function untilRequested(id: TaskId): Promise<void> {
  await until(async () => (await world.task(id)).cancelRequestedAt !== null, 'it is to be cancelled');
}

const CANCELLED = { kind: 'cancelled', task: { status: 'failed', costNano: 0n, error: { reason: 'cancelled' } } };

describe('cancelling a task', () => {
  it('that no worker has claimed ends it, and the worker that comes later calls nobody', async () => {
    const label = world.label('early');
    const id = await world.submit(label, { enqueue: false });
    expect(await cancel(id)).toMatchObject(CANCELLED);
    await world.startWorker();
    await world.queues.enqueueTask({ family: 'tts', taskId: id, fence: 0 });
    await world.ended(await world.submit(world.label('after')));
    expect(await world.accepted(label)).toBe(0);
    expect(await world.attempts(id)).toEqual([]);
  });

  it('whose channel has turned it away ends it between its attempts', async () => {
    const label = world.label('between');
    await world.upstream.instruct(label, { starts: [{ status: 429, retryAfterSeconds: 30 }] });
    await world.startWorker();
    const id = await world.submit(label);
    await until(async () => (await world.attempts(id))[0]?.state === 'refused', 'it is turned away');
    expect(await cancel(id)).toMatchObject(CANCELLED);
    expect(await world.accepted(label)).toBe(0);
  });

  it('that its upstream has accepted is stopped there, and refunded by its word', async () => {
    await world.startWorker();
    const { id, label } = await acceptedJob();
    expect(await cancel(id)).toMatchObject(CANCELLED);
    expect((await world.journalOf(label)).map(({ event }) => event)).toContain('cancelled');
    expect(await world.attempts(id)).toMatchObject([
      { state: 'refused', requestIds: expect.arrayContaining(['r-cancel']) },
    ]);
    expect(await cancel(id)).toMatchObject(CANCELLED);
  });

  it('that its upstream charges for all the same settles what it charges', async () => {
    await world.startWorker();
    const { id } = await acceptedJob({ cancels: ['cancel and charge'], usage: { outputTokens: 3 } });
    expect(await cancel(id)).toEqual({ kind: 'ended' });
    expect(await world.task(id)).toMatchObject({ status: 'completed', costNano: 3n });
  });

  it('that its upstream will not stop lets it go on, and says so', async () => {
    await world.startWorker();
    const { id, label } = await acceptedJob({ cancels: ['too late'] });
    expect(await cancel(id)).toEqual({ kind: 'started' });
    await world.upstream.instruct(label, { checks: ['done'] });
    expect(await world.hastened(id)).toMatchObject({ status: 'completed', costNano: 100n });
    expect((await world.journalOf(label)).map(({ event }) => event)).not.toContain('cancelled');
  });

  it('whose upstream cannot stop anything is answered at once, and leaves no request behind', async () => {
    await world.startWorker();
    const { id } = await acceptedJob({}, 'never');
    expect(await cancel(id)).toEqual({ kind: 'started' });
    expect(await world.task(id)).toMatchObject({ cancelRequestedAt: null });
  });

  it('is asked for again after a fault, and knows by the next check that a lost answer had stopped it', async () => {
    await world.startWorker();
    const busy = await acceptedJob({ cancels: [{ status: 503 }, 'cancel'] });
    const lost = await acceptedJob({ cancels: ['cancel and drop'] });
    expect(await cancel(busy.id)).toMatchObject(CANCELLED);
    expect(await cancel(lost.id)).toMatchObject(CANCELLED);
  });

  it('leaves an upstream alone that wants to be, however often the task is cancelled', async () => {
    await world.startWorker();
    const { id } = await acceptedJob({ cancels: [{ status: 429, retryAfterSeconds: 60 }, 'cancel'] });
    const cancelBriefly = createCanceller(world, { waitMs: 1500 });
    const first = cancelBriefly(id);
    await until(async () => (await world.task(id)).nextStepAt > new Date(Date.now() + 50_000), 'its step is put off');
    const { fence, nextStepAt } = await world.task(id);
    const kinds = await Promise.all([first, cancelBriefly(id), cancelBriefly(id)]);
    expect(kinds).toEqual([{ kind: 'requested' }, { kind: 'requested' }, { kind: 'requested' }]);
    expect(await world.task(id)).toMatchObject({ fence, nextStepAt });
  });

  it('while its upstream is being called waits for the answer, and stops what was accepted', async () => {
    const label = world.label('starting');
    await world.upstream.instruct(label, { starts: ['accept and hold'], checks: ['running'] });
    await world.startWorker();
    const id = await world.submit(label, { model: 'idempotent' });
    await untilState(id, 'starting');
    await until(async () => (await world.accepted(label)) > 0, 'the upstream has it');
    const cancelling = cancel(id);
    await untilRequested(id);
    await world.upstream.release();
    expect(await cancelling).toMatchObject(CANCELLED);
  });

  it('while an upstream is being called that turns it away ends it, however long it would wait for the next', async () => {
    const label = world.label('turned-away');
    await world.upstream.instruct(label, { starts: ['accept and hold'] });
    await world.startWorker();
    const id = await world.submit(label, { model: 'idempotent' });
    await until(async () => (await world.accepted(label)) > 0, 'the upstream has it');
    const cancelling = cancel(id);
    await untilRequested(id);
    const { fence, attemptId } = await world.task(id);
    const later = { nextStepInMs: 60_000, triedChannels: [], barredChannels: [], failedStep: false };
    const refusal = {
      attemptId: attemptId ?? undefined,
      fault: 'rate_limited' as const,
      detail: 'busy',
      requestIds: [],
    };
    await world.database.giveUpAttempt({ id, fence }, { ...refusal, ...later });
    expect(await cancelling).toMatchObject(CANCELLED);
    await world.upstream.release();
  });

  it('stands when its worker dies, and the next one carries it out', async () => {
    await world.startWorker();
    const { id } = await acceptedJob();
    await world.closeWorkers();
    const cancelling = cancel(id);
    await untilRequested(id);
    await world.startWorker();
    expect(await cancelling).toMatchObject(CANCELLED);
  });
});
