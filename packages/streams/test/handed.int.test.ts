import { newTaskId, type TaskId } from '@mediagate/contracts';
import type { HandedOver, HandedTask, OutgoingStream, WaitingWorker } from '../src';
import { type BothSides, DIRECT, hearAll, never, openBothSides, PATIENT } from './both-sides';
import { openRedisView, type RedisView } from './redis-view';
import { until } from './until';

const MODEL = 'of-speech';
const OFFER = { leaseMs: 10_000, channels: { [MODEL]: { channelId: 'one', protocol: 'speech' } } };

let sides: BothSides;
let view: RedisView;
let taken: { task: HandedTask; way: HandedOver }[];
beforeEach(async () => {
  sides = await openBothSides({ direct: DIRECT });
  view = openRedisView(sides.prefix);
  taken = [];
  sides.sender.takeTasks({ offer: () => OFFER, take: (task, way) => void taken.push({ task, way }) });
});
afterEach(async () => {
  await sides.close();
  view.close();
});

async function answer(delivery: OutgoingStream | undefined, words: string): Promise<void> {
  await delivery?.send(Buffer.from(words));
  await delivery?.finish();
  await delivery?.settled();
}

async function broughtAnswer(): Promise<void> {
  const taskId = newTaskId();
  const heard = hearAll(sides.receiver.listen(taskId));
  const address = sides.receiver.addressOf(taskId);
  const early = address && sides.sender.connect(taskId, address);
  await answer(await sides.sender.open({ taskId, fence: 1, signal: never() }, early), 'the first');
  await heard;
}

/** A worker that has brought an answer by the queue, and waits for the next task. */
async function waitingWorker(): Promise<WaitingWorker> {
  await broughtAnswer();
  return until(() => sides.receiver.takeWorker(MODEL), 'a worker waits');
}

function taskFor({ channelId }: WaitingWorker, taskId: TaskId = newTaskId()): HandedTask {
  const names = { family: 'tts', kind: 'audio', model: MODEL, operation: 'audio.speech' } as const;
  const paid = { rates: { character: '15' }, reservedNano: '300', deadlineMs: 60_000, input: { input: 'Tide.' } };
  return { taskId, fence: 1, attemptId: 'att_1', channelId, accountId: 'acc_1', keyId: 'key_1', ...names, ...paid };
}

async function handed(worker: WaitingWorker) {
  const task = taskFor(worker);
  const listening = sides.receiver.listen(task.taskId, { worker, task });
  const { way } = await until(() => taken.at(-1), 'the task has come');
  return { task, way, listening };
}

describe('a worker that has brought an answer', () => {
  it('is handed the next task as it was booked, and asks nobody', async () => {
    const worker = await waitingWorker();
    expect(worker).toMatchObject({ channelId: 'one', protocol: 'speech', leaseMs: 10_000 });
    const asked = await view.listen('meetings');
    const { task, way, listening } = await handed(worker);
    expect(taken).toEqual([{ task, way: expect.anything() }]);
    const heard = hearAll(listening);
    await answer(await sides.sender.open({ taskId: task.taskId, fence: 1, signal: never() }, way.connection), 'second');
    const { bytes, kinds, last } = await heard;
    expect([String(bytes), kinds, last]).toEqual([
      'second',
      ['claimed', 'chunk', 'settled'],
      { kind: 'settled', fence: 1 },
    ]);
    await view.publish('meetings', { taskId: 'of the test' });
    expect(String((await asked.heard).at(-1))).toContain('of the test');
  });

  it('brings one after the other, each by itself', async () => {
    for (let worker = await waitingWorker(), times = 0; times < 3; times += 1) {
      const { task, way, listening } = await handed(worker);
      taken = [];
      const heard = hearAll(listening);
      const delivery = await sides.sender.open({ taskId: task.taskId, fence: 1, signal: never() }, way.connection);
      await answer(delivery, `answer ${times}`);
      expect(String((await heard).bytes)).toBe(`answer ${times}`);
      worker = await until(() => sides.receiver.takeWorker(MODEL), 'it waits again');
    }
  });

  it('is had by one, for a model that it offers, and by the next once it is left', async () => {
    const worker = await waitingWorker();
    expect(sides.receiver.takeWorker(MODEL)).toBeUndefined();
    worker.leave();
    expect(sides.receiver.takeWorker('of-another')).toBeUndefined();
    expect(sides.receiver.takeWorker(MODEL)).toMatchObject({ channelId: 'one' });
  });

  it('must begin before it could be taken for lost, by its own clock', async () => {
    const before = performance.now();
    const { way } = await handed(await waitingWorker());
    const heardOfAt = way.beginBy - PATIENT.silenceMs / 2;
    expect(heardOfAt).toBeGreaterThan(before);
    expect(heardOfAt).toBeLessThan(performance.now());
  });

  it('has had its lease since before the booking, however long that took', async () => {
    const worker = await waitingWorker();
    const takenAt = performance.now();
    await until(() => performance.now() - takenAt > 3 * PATIENT.workerHeartbeatMs, 'it has said so again');
    const { way } = await handed(worker);
    expect(way.claimAskedAt).toBeLessThan(takenAt);
    expect(way.beginBy - PATIENT.silenceMs / 2).toBeGreaterThan(takenAt);
  });

  it('and dies with a task that it was handed is lost under the fence of that', async () => {
    const { listening } = await handed(await waitingWorker());
    const heard = hearAll(listening);
    await sides.sender.close();
    expect((await heard).last).toEqual({ kind: 'worker_lost', fence: 1 });
  });

  it('and has died since it was taken is lost under the fence of what was booked for it', async () => {
    const worker = await waitingWorker();
    await sides.sender.close();
    const task = taskFor(worker);
    const { last } = await hearAll(sides.receiver.listen(task.taskId, { worker, task }));
    expect(last).toEqual({ kind: 'worker_lost', fence: 1 });
  });

  it('learns that the caller had left before it could begin', async () => {
    const worker = await waitingWorker();
    const task = taskFor(worker);
    sides.receiver.listen(task.taskId, { worker, task }).leave();
    const { way } = await until(() => taken.at(-1), 'the task has come');
    const delivery = await sides.sender.open({ taskId: task.taskId, fence: 1, signal: never() }, way.connection);
    await until(() => delivery?.ended, 'it knows');
    expect(delivery?.ended).toBe('caller_left');
  });
});

it('a worker makes each offer knowing how many of its connections wait for a task already', async () => {
  const asked: number[] = [];
  const offer = (idle: number) => {
    asked.push(idle);
    return OFFER;
  };
  sides.sender.takeTasks({ offer, take: () => undefined });
  for (let times = 0; times < 3; times += 1) await waitingWorker();
  expect(asked).toEqual([0, 1, 2]);
});

it.each([
  ['no channels', { leaseMs: 10_000 }],
  ['channels without names', { leaseMs: 10_000, channels: { [MODEL]: {} } }],
  ['leases of no length', { ...OFFER, leaseMs: null }],
])('a worker that offers %s is not taken, and others are', async (_, unfit) => {
  const offers: unknown[] = [unfit, OFFER];
  sides.sender.takeTasks({ offer: () => offers.shift() as never, take: () => undefined });
  await broughtAnswer();
  expect(await waitingWorker()).toMatchObject({ channelId: 'one' });
  expect(sides.receiver.takeWorker(MODEL)).toBeUndefined();
});

describe('a worker that leaves', () => {
  it('is not taken any more', async () => {
    (await waitingWorker()).leave();
    await sides.sender.takeNoMore();
    expect(sides.receiver.takeWorker(MODEL)).toBeUndefined();
  });

  it('still takes the task that was being booked for it', async () => {
    const worker = await waitingWorker();
    const left = sides.sender.takeNoMore();
    const { task, way, listening } = await handed(worker);
    await left;
    const heard = hearAll(listening);
    await answer(await sides.sender.open({ taskId: task.taskId, fence: 1, signal: never() }, way.connection), 'last');
    expect(await heard).toMatchObject({ last: { kind: 'settled' } });
    expect(sides.receiver.takeWorker(MODEL)).toBeUndefined();
  });

  it('takes none that comes after it has waited long enough: that is lost at once', async () => {
    const worker = await waitingWorker();
    await sides.sender.takeNoMore();
    const task = taskFor(worker);
    const { last } = await hearAll(sides.receiver.listen(task.taskId, { worker, task }));
    expect([last, taken]).toEqual([{ kind: 'worker_lost', fence: 1 }, []]);
  });
});
