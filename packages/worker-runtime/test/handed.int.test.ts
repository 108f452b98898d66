import type { Channel } from '@mediagate/settings';
import type { TaskTaker } from '@mediagate/streams';
import type { WorkerDeps } from '../src/worker-deps';
import { type HandingApi, openHandingApi } from './world/hand-over';
import { CATALOGUE } from './world/models';
import { openWorld, type World } from './world/world';

/** On a busy machine nobody takes a living worker for dead, nor comes too late to begin. */
const PATIENT = {
  leaseMs: 30_000,
  streamTiming: { answerWithinMs: 2000, apiHeartbeatMs: 50, workerHeartbeatMs: 200, silenceMs: 20_000 },
};

let world: World;
let api: HandingApi;

function inWorld(timing: Parameters<typeof openWorld>[0] = {}): void {
  beforeAll(async () => {
    world = await openWorld(timing);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    api = await openHandingApi(world);
  });
  afterEach(async () => {
    await world.closeWorkers();
    await api.close();
    expect(await world.audit()).toEqual([]);
  });
}

describe('a task that is booked with the claim and the intent of a worker', () => {
  inWorld(PATIENT);

  it('is answered by that worker, with one attempt, and settled', async () => {
    await world.startWorker();
    const worker = await api.waitingWorker();
    const label = world.label('live');
    const task = await api.book(label, worker);
    expect(await world.task(task.taskId)).toMatchObject({ status: 'pending', fence: 1, attemptsMade: 1 });
    const { bytes, last } = await api.hand(task, worker);
    expect([bytes.length, last]).toEqual([1000, { kind: 'settled', fence: 1 }]);
    expect(await world.task(task.taskId)).toMatchObject({ status: 'completed', costNano: 100n });
    expect(await world.attempts(task.taskId)).toMatchObject([
      { id: task.attemptId, number: 1, channelId: 'live', protocol: 'generic-live', state: 'succeeded' },
    ]);
    expect(await world.accepted(label)).toBe(1);
  });

  it.each([
    ['is closed', (closed: Channel[]) => closed],
    ['is gone', () => []],
  ])('goes on by the queue where its channel %s by now, and its intent is withdrawn', async (_, closed) => {
    const local = await world.startWorker();
    const worker = await api.waitingWorker();
    const task = await api.book(world.label('live'), worker);
    const serving = local.deps.channels.find('live');
    if (serving === undefined) throw new Error('no such channel');
    local.deps.channels.replace([{ ...serving, id: 'other' }], { closed: closed([serving]) });
    const { bytes, last } = await api.hand(task, worker);
    expect([bytes.length, last]).toEqual([1000, { kind: 'settled', fence: expect.any(Number) }]);
    const attempts = await world.attempts(task.taskId);
    expect(attempts.map(({ channelId, state }) => [channelId, state])).toEqual([
      ['live', 'refused'],
      ['other', 'succeeded'],
    ]);
  });

  it('goes on by the queue where its model is gone by now, to whoever has it', async () => {
    let isGone = false;
    const find: WorkerDeps['catalogue']['find'] = (...named) => {
      if (!isGone) return CATALOGUE.find(...named);
      // There again for the queue, as at another worker.
      isGone = false;
      return undefined;
    };
    await world.startWorker({ wrap: (deps) => ({ ...deps, catalogue: { ...CATALOGUE, find } }) });
    const worker = await api.waitingWorker();
    const task = await api.book(world.label('live'), worker);
    isGone = true;
    expect(await api.hand(task, worker)).toMatchObject({ last: { kind: 'settled' } });
    const attempts = await world.attempts(task.taskId);
    expect(attempts.map(({ state }) => state)).toEqual(['refused', 'succeeded']);
  });

  it('is sent to its channel as operators have set that by then', async () => {
    let learn: () => void = () => undefined;
    const local = await world.startWorker({ wrap: (deps) => ({ ...deps, knowSettings: async () => learn() }) });
    const worker = await api.waitingWorker();
    const label = world.label('live');
    const task = await api.book(label, worker);
    learn = () => {
      const serving = local.deps.channels.find('live');
      if (serving) local.deps.channels.replace([{ ...serving, apiKey: 'renewed' }]);
    };
    expect(await api.hand(task, worker)).toMatchObject({ last: { kind: 'settled' } });
    expect(await world.journalOf(label)).toMatchObject([
      { event: 'accepted', channel: 'renewed' },
      { event: 'finished', channel: 'renewed' },
    ]);
  });

  it('is offered to be done by no worker that has as much to do as it may, with what its connections wait for', async () => {
    let taker: TaskTaker | undefined;
    const wrap = (deps: WorkerDeps): WorkerDeps => {
      const { streamSender: sender } = deps;
      if (sender === undefined) throw new Error('no streams');
      const takeTasks = (given: TaskTaker) => {
        taker = given;
      };
      return { ...deps, streamSender: { ...sender, takeTasks } };
    };
    await world.startWorker({ concurrency: 2, wrap });
    expect([taker?.offer(1), taker?.offer(2)]).toEqual([expect.objectContaining({ leaseMs: 30_000 }), undefined]);
  });

  it('is finished by a worker that is told to end meanwhile', async () => {
    const local = await world.startWorker();
    const worker = await api.waitingWorker();
    const closed = world.closeWorkers();
    const task = await api.book(world.label('live'), worker);
    expect(await api.hand(task, worker)).toMatchObject({ last: { kind: 'settled' } });
    await closed;
    expect(local.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a task is handed to a worker', () => {
  inWorld();

  it('not at all, because the API process ends before: it is refunded once its lease lapses, and nobody was asked', async () => {
    await world.startWorker();
    const label = world.label('live');
    const task = await api.book(label, await api.waitingWorker());
    expect(await world.ended(task.taskId)).toMatchObject({ status: 'failed', costNano: 0n });
    expect(await world.attempts(task.taskId)).toMatchObject([{ state: 'unknown' }]);
    expect(await world.accepted(label)).toBe(0);
  });

  async function frozenWorker() {
    // Its lease alone would let it begin.
    const process = await world.spawnWorker({ leaseMs: 60_000 });
    process.takeJobs();
    const worker = await api.waitingWorker();
    process.signal('SIGSTOP');
    const label = world.label('live');
    return { process, worker, label, task: await api.book(label, worker) };
  }

  it('that is killed: it is refunded at once, and nobody was asked', async () => {
    const { process, worker, label, task } = await frozenWorker();
    const heard = api.hand(task, worker);
    process.signal('SIGKILL');
    const { last, ended } = await heard;
    expect(last).toEqual({ kind: 'worker_lost', fence: 1 });
    expect(ended).toMatchObject({ won: true });
    expect(await world.task(task.taskId)).toMatchObject({ status: 'failed', costNano: 0n });
    expect(await world.accepted(label)).toBe(0);
  });

  it('that is frozen: it is refunded, and the worker asks nobody and changes nothing once it resumes', async () => {
    const { process, worker, label, task } = await frozenWorker();
    const { last, ended } = await api.hand(task, worker);
    expect(last).toEqual({ kind: 'worker_lost', fence: 1 });
    expect(ended).toMatchObject({ won: true });
    const before = await world.task(task.taskId);
    process.signal('SIGCONT');
    process.signal('SIGTERM');
    expect(await process.exited).toEqual({ code: 0, signal: null });
    expect(await world.task(task.taskId)).toEqual(before);
    expect(await world.accepted(label)).toBe(0);
  });
});
