import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { askForListener } from './ask-for-listener';
import type { Delivery, DeliveryEnd } from './delivery';
import { createReceivers, keyOf, taskIdOf } from './receivers';
import type { Session } from './redis-sessions';
import { createSentTask } from './sent-task';
import type { LiveTiming } from './timing';
import { decodeMessage, EMPTY, type Entry, encodeEntry, type Meeting, type Names, type ToWorker } from './wire';

export interface SenderSession extends Session {
  meet(taskId: string, fence: number, signal: AbortSignal): Promise<Delivery | undefined>;
}

interface SenderSessionDeps {
  names: Names;
  connections: Redis[];
  fail(error: Error): void;
  timing: LiveTiming;
}

/** A task that nobody has answered for yet. */
interface Asking {
  signal: AbortSignal;
  answered(delivery: Delivery | undefined): void;
}

/** Meets listeners and sends to them, for as long as the connections last. */
export async function openSenderSession(deps: SenderSessionDeps): Promise<SenderSession> {
  const { names, fail, timing } = deps;
  const [commands, ears] = deps.connections as [Redis, Redis];
  const workerId = randomUUID();
  const asking = new Map<string, Asking>();
  const receivers = createReceivers(timing);

  /** Entries go out in the order of the calls. */
  async function add(receiverId: string, entry: Entry, bytes: Buffer = EMPTY): Promise<void> {
    const fields = encodeEntry({ workerId, entry, bytes });
    try {
      const id = await commands.xadd(names.stream(receiverId), 'NOMKSTREAM', '*', ...fields);
      if (id === null) receivers.lose(receiverId);
    } catch (error) {
      fail(error as Error);
    }
  }

  function deliver(receiverId: string, { taskId, fence }: Meeting, signal: AbortSignal): Delivery {
    const key = keyOf(taskId, fence);
    const task = createSentTask({
      taskId,
      fence,
      signal,
      add: (entry, bytes) => add(receiverId, entry, bytes),
      over: () => receivers.remove(receiverId, key),
    });
    receivers.add(receiverId, key, task);
    return task.delivery;
  }

  function hearHere(receiverId: string, { taskId, fence }: { taskId: string; fence: number }): void {
    const key = keyOf(taskId, fence);
    const question = asking.get(key);
    // Asked twice, answered twice.
    asking.delete(key);
    if (question) question.answered(deliver(receiverId, { taskId, fence, workerId }, question.signal));
    // Given up here meanwhile: whoever answered must not wait for it.
    else if (!receivers.has(receiverId, key)) void add(receiverId, { word: 'lost', taskId, fence, value: null });
  }

  function hearGone(receiverId: string, { taskId, fence }: { taskId: string; fence: number }, end: DeliveryEnd): void {
    const key = keyOf(taskId, fence);
    asking.get(key)?.answered(undefined);
    receivers.end(receiverId, key, end);
  }

  function hear(message: ToWorker): void {
    const { kind, receiverId } = message;
    receivers.hearFrom(receiverId);
    switch (kind) {
      case 'here':
        hearHere(receiverId, message);
        break;
      case 'left':
      case 'gone':
        hearGone(receiverId, message, kind === 'left' ? 'caller_left' : 'api_gone');
        break;
      case 'taken':
      case 'pulse':
        receivers.hearTaken(message);
        break;
      default:
        message satisfies never;
    }
  }

  /** What is asked about goes with it: whoever is asked may have heard of it before this comes. */
  function beat(): void {
    for (const [receiverId, keys] of receivers.inHand()) {
      void add(receiverId, { word: 'beat', tasks: [...keys, ...asking.keys()].map(taskIdOf) });
    }
  }

  ears.on('message', (_channel, text: string) => decodeMessage<ToWorker>(text, hear, fail));
  await ears.subscribe(names.workerChannel(workerId));
  const timers = [setInterval(beat, timing.beatMs), setInterval(() => receivers.loseTheSilent(), timing.pulseMs)];

  return {
    async meet(taskId, fence, signal) {
      const key = keyOf(taskId, fence);
      const question = JSON.stringify({ taskId, fence, workerId } satisfies Meeting);
      const ask = () => commands.publish(names.meetings, question);
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
      receivers.loseAll();
    },
  };
}
