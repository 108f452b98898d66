import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { askForListener } from './ask-for-listener';
import type { Delivery, DeliveryEnd } from './delivery';
import type { Session } from './redis-sessions';
import { createSentTask, type SentTask } from './sent-task';
import type { LiveTiming } from './timing';
import { EMPTY, type Entry, encodeEntry, type Names, type ToWorker } from './wire';

export interface SenderSession extends Session {
  meet(taskId: string, fence: number, signal: AbortSignal): Promise<Delivery | undefined>;
}

interface SenderSessionDeps {
  names: Names;
  connections: Redis[];
  fail(error: Error): void;
  timing: LiveTiming;
}

/** One API process, as a worker knows it. */
interface Receiver {
  heardAt: number;
  /** By task id and fence: a task may be met again before its last meeting is over. */
  tasks: Map<string, SentTask>;
}

interface Asking {
  signal: AbortSignal;
  answered(delivery: Delivery | undefined): void;
}

const keyOf = (taskId: string, fence: number) => `${taskId} ${fence}`;

/** Meets listeners and sends to them, for as long as the connections last. */
export async function openSenderSession({
  names,
  connections,
  fail,
  timing,
}: SenderSessionDeps): Promise<SenderSession> {
  const [commands, ears] = connections as [Redis, Redis];
  const workerId = randomUUID();
  /** Tasks that nobody has answered for yet. */
  const asking = new Map<string, Asking>();
  const receivers = new Map<string, Receiver>();
  let checkedAt = performance.now();

  function loseReceiver(receiverId: string): void {
    const tasks = receivers.get(receiverId)?.tasks.values() ?? [];
    for (const task of [...tasks]) task.end('api_gone');
    receivers.delete(receiverId);
  }

  /** Entries go out in the order of the calls. */
  async function add(receiverId: string, entry: Entry, bytes: Buffer = EMPTY): Promise<void> {
    const fields = encodeEntry({ workerId, entry, bytes });
    try {
      const id = await commands.xadd(names.stream(receiverId), 'NOMKSTREAM', '*', ...fields);
      if (id === null) loseReceiver(receiverId);
    } catch (error) {
      fail(error as Error);
    }
  }

  function deliver(receiverId: string, taskId: string, fence: number, signal: AbortSignal): Delivery {
    const receiver = receivers.get(receiverId) ?? { heardAt: 0, tasks: new Map<string, SentTask>() };
    receivers.set(receiverId, receiver);
    const key = keyOf(taskId, fence);
    const task = createSentTask({
      ...{ taskId, fence, signal },
      add: (entry, bytes) => add(receiverId, entry, bytes),
      over: () => receiver.tasks.delete(key),
    });
    receiver.tasks.set(key, task);
    return task.delivery;
  }

  /** Whoever answers for a task that was given up here meanwhile must not wait for it. */
  function hearHere(receiverId: string, taskId: string, fence: number): void {
    const question = asking.get(keyOf(taskId, fence));
    // Asked twice, answered twice.
    asking.delete(keyOf(taskId, fence));
    if (question) question.answered(deliver(receiverId, taskId, fence, question.signal));
    else if (!receivers.get(receiverId)?.tasks.has(keyOf(taskId, fence))) {
      void add(receiverId, { word: 'lost', taskId, fence, value: null });
    }
  }

  function hearGone(receiverId: string, key: string, end: DeliveryEnd): void {
    asking.get(key)?.answered(undefined);
    receivers.get(receiverId)?.tasks.get(key)?.end(end);
  }

  function hear(message: ToWorker): void {
    const { kind, receiverId } = message;
    switch (kind) {
      case 'here':
        hearHere(receiverId, message.taskId, message.fence);
        break;
      case 'left':
        hearGone(receiverId, keyOf(message.taskId, message.fence), 'caller_left');
        break;
      case 'gone':
        hearGone(receiverId, keyOf(message.taskId, message.fence), 'api_gone');
        break;
      case 'taken':
      case 'pulse':
        hearTaken(message);
        break;
      default:
        message satisfies never;
    }
    const receiver = receivers.get(receiverId);
    if (receiver) receiver.heardAt = performance.now();
  }

  function hearTaken(message: ToWorker & { kind: 'taken' | 'pulse' }): void {
    const tasks = receivers.get(message.receiverId)?.tasks;
    if (!tasks) return;
    const unknown = new Set(message.kind === 'pulse' ? tasks.keys() : []);
    for (const [taskId, fence, bytes] of message.tasks) {
      unknown.delete(keyOf(taskId, fence));
      tasks.get(keyOf(taskId, fence))?.hearTaken(bytes);
    }
    if (message.kind === 'taken') return;
    for (const [taskId, fence] of message.left) {
      unknown.delete(keyOf(taskId, fence));
      tasks.get(keyOf(taskId, fence))?.end('caller_left');
    }
    for (const key of unknown) tasks.get(key)?.end('api_gone');
  }

  function loseTheSilent(): void {
    const now = performance.now();
    // This process itself stood still, and what came meanwhile is not read yet.
    const wasAway = now - checkedAt > timing.pulseMs + timing.silenceMs / 2;
    checkedAt = now;
    for (const [receiverId, receiver] of receivers) {
      if (receiver.tasks.size === 0) receivers.delete(receiverId);
      else if (wasAway) receiver.heardAt = now;
      else if (now - receiver.heardAt > timing.silenceMs) loseReceiver(receiverId);
    }
  }

  /** To every API process that has something to wait for; also what it may have heard of a moment ago, being asked. */
  function beat(): void {
    for (const [receiverId, { tasks }] of receivers) {
      const inHand = [...tasks.keys(), ...asking.keys()].map((key) => key.split(' ')[0] as string);
      if (tasks.size > 0) void add(receiverId, { word: 'beat', tasks: inHand });
    }
  }

  ears.on('message', (_channel, text: string) => hear(JSON.parse(text) as ToWorker));
  await ears.subscribe(names.workerChannel(workerId));
  const timers = [setInterval(beat, timing.beatMs), setInterval(loseTheSilent, timing.pulseMs)];

  return {
    async meet(taskId, fence, signal) {
      const key = keyOf(taskId, fence);
      const ask = () => commands.publish(names.meetings, JSON.stringify({ taskId, fence, workerId }));
      const answer = new Promise<Delivery | undefined>((answered) => asking.set(key, { signal, answered }));
      const met = await askForListener({ ask, answer, signal, limitMs: timing.meetMs }).catch(fail);
      asking.delete(key);
      if (met) return met;
      // The answer may have come with the very signal that ended the asking.
      void answer.then((late) => late?.lost());
      return undefined;
    },
    async end() {
      for (const timer of timers) clearInterval(timer);
      ears.removeAllListeners('message');
      for (const question of asking.values()) question.answered(undefined);
      for (const receiverId of [...receivers.keys()]) loseReceiver(receiverId);
    },
  };
}
