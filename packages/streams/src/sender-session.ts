import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { askForListener } from './ask-for-listener';
import type { OutgoingStream, StreamEnd } from './outgoing-stream';
import { keyOf, Receivers, taskIdOf } from './receivers';
import type { Session } from './redis-sessions';
import { SentStream } from './sent-stream';
import type { StreamTiming } from './timing';
import {
  decodeMessage,
  EMPTY,
  type Entry,
  encodeEntry,
  type ListenerQuestion,
  type Names,
  type ToWorker,
} from './wire';

export interface SenderSession extends Session {
  open(taskId: string, fence: number, signal: AbortSignal): Promise<OutgoingStream | undefined>;
}

interface SenderSessionDeps {
  names: Names;
  connections: Redis[];
  fail(error: Error): void;
  timing: StreamTiming;
}

/** A question that no API process has answered yet. */
interface OpenQuestion {
  signal: AbortSignal;
  answered(stream: OutgoingStream | undefined): void;
}

type TaskClaim = Pick<ListenerQuestion, 'taskId' | 'fence'>;

/** Finds the listeners of tasks and sends to them, for as long as the connections last. */
export async function openSenderSession(deps: SenderSessionDeps): Promise<SenderSession> {
  const { names, fail, timing } = deps;
  const [commands, subscriber] = deps.connections as [Redis, Redis];
  const workerId = randomUUID();
  const questions = new Map<string, OpenQuestion>();
  const receivers = new Receivers(timing);

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

  function openStream(receiverId: string, { taskId, fence }: TaskClaim, signal: AbortSignal): OutgoingStream {
    const key = keyOf(taskId, fence);
    const stream = new SentStream({
      taskId,
      fence,
      signal,
      add: (entry, bytes) => add(receiverId, entry, bytes),
      onEnd: () => receivers.remove(receiverId, key),
    });
    receivers.add(receiverId, key, stream);
    return stream;
  }

  function receiveHere(receiverId: string, { taskId, fence }: TaskClaim): void {
    const key = keyOf(taskId, fence);
    const question = questions.get(key);
    // A question that was asked twice is answered twice.
    questions.delete(key);
    if (question) question.answered(openStream(receiverId, { taskId, fence }, question.signal));
    // The asking was given up meanwhile: the listener must not wait for this worker.
    else if (!receivers.has(receiverId, key)) void add(receiverId, { kind: 'lost', taskId, fence, value: null });
  }

  function receiveGone(receiverId: string, { taskId, fence }: TaskClaim, end: StreamEnd): void {
    const key = keyOf(taskId, fence);
    questions.get(key)?.answered(undefined);
    receivers.end(receiverId, key, end);
  }

  function receive(message: ToWorker): void {
    const { kind, receiverId } = message;
    receivers.markAlive(receiverId);
    switch (kind) {
      case 'here':
        receiveHere(receiverId, message);
        break;
      case 'left':
      case 'gone':
        receiveGone(receiverId, message, kind === 'left' ? 'caller_left' : 'api_gone');
        break;
      case 'acknowledged':
      case 'heartbeat':
        receivers.receiveAcknowledged(message);
        break;
      default:
        message satisfies never;
    }
  }

  /** Open questions are listed too: their listener may have answered before this heartbeat arrives. */
  function heartbeat(): void {
    for (const [receiverId, keys] of receivers.inFlight()) {
      void add(receiverId, { kind: 'heartbeat', tasks: [...keys, ...questions.keys()].map(taskIdOf) });
    }
  }

  subscriber.on('message', (_channel, text: string) => {
    try {
      receive(decodeMessage(text));
    } catch (error) {
      fail(error as Error);
    }
  });
  await subscriber.subscribe(names.workerChannel(workerId));
  const timers = [
    setInterval(heartbeat, timing.workerHeartbeatMs),
    setInterval(() => receivers.loseSilent(), timing.apiHeartbeatMs),
  ];

  return {
    async open(taskId, fence, signal) {
      const key = keyOf(taskId, fence);
      const question = JSON.stringify({ taskId, fence, workerId } satisfies ListenerQuestion);
      const ask = () => commands.publish(names.questions, question);
      const answer = new Promise<OutgoingStream | undefined>((answered) => questions.set(key, { signal, answered }));
      const stream = await askForListener({ ask, answer, signal, limitMs: timing.answerWithinMs }).catch(fail);
      questions.delete(key);
      if (stream) return stream;
      // The answer may have come in the moment in which the signal ended the asking.
      void answer.then((late) => late?.lost());
      return undefined;
    },
    async end() {
      for (const timer of timers) clearInterval(timer);
      subscriber.removeAllListeners('message');
      for (const question of questions.values()) question.answered(undefined);
      receivers.loseAll();
    },
  };
}
