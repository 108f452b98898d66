import { newTaskId, timeOrderedId } from '@mediagate/contracts';
import { type HandedTask, openStreamReceiver, type WaitingWorker } from '@mediagate/streams';
import { type Heard, hear } from './callers';
import { RATES } from './models';
import { until } from './until';
import type { World } from './world';

const MODEL = 'live';
const DEADLINE_MS = 60_000;

/** Stands where the API stands that books tasks for workers that wait for one. */
export async function openHandingApi(world: World) {
  const { redisUrl, prefix, streamTiming: timing } = world.spec;
  const direct = { host: '127.0.0.1', port: 0 };
  const receiver = openStreamReceiver({ redisUrl, prefix, timing, direct });
  await until(async () => receiver.available(), 'the receiver is open');

  /** One that was given a task by the queue, and has ended it. */
  async function waitingWorker(): Promise<WaitingWorker> {
    const taskId = newTaskId();
    const heard = hear(world, taskId, receiver.listen(taskId));
    await world.submit(world.label('live'), { model: MODEL, taskId });
    await heard;
    return until(async () => receiver.takeWorker(MODEL), 'a worker waits');
  }

  async function book(label: string, worker: WaitingWorker): Promise<HandedTask> {
    const { leaseMs, channelId, protocol } = worker;
    const taskId = newTaskId();
    const attemptId = `att_${timeOrderedId()}`;
    const begun = { leaseMs, channelId, protocol, attemptId };
    await world.submit(label, { model: MODEL, taskId, begun, enqueue: false, deadlineMs: DEADLINE_MS });
    const names = { family: 'tts', kind: 'audio', model: MODEL, operation: 'generic' } as const;
    const rates = Object.fromEntries(Object.entries(RATES).map(([unit, nano]) => [unit, String(nano)]));
    const paid = { rates, reservedNano: '100', deadlineMs: DEADLINE_MS, input: { label, n: 1, inspect: false } };
    return { taskId, fence: 1, attemptId, channelId, ...world.payer, ...names, ...paid };
  }

  return {
    waitingWorker,
    book,
    /** Hands it over, and hears what comes of it. */
    hand(task: HandedTask, worker: WaitingWorker): Promise<Heard> {
      return hear(world, task.taskId, receiver.listen(task.taskId, { worker, task }));
    },
    close: () => receiver.close(),
  };
}

export type HandingApi = Awaited<ReturnType<typeof openHandingApi>>;
