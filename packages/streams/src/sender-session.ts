import { randomUUID } from 'node:crypto';
import type { RedisNode } from '@mediagate/queue';
import { askForListener } from './ask-for-listener';
import type { DirectSender } from './direct-sender';
import type { OutgoingStream, StreamClaim, StreamEnd } from './outgoing-stream';
import { keyOf, Receivers, taskIdOf } from './receivers';
import type { Session } from './redis-sessions';
import { SentStream } from './sent-stream';
import type { StreamTiming } from './timing';
import {
  type Direct,
  decodeMessage,
  EMPTY,
  type Entry,
  encodeEntry,
  type ListenerQuestion,
  type Names,
  type ToWorker,
  WIRE_VERSION,
} from './wire';

interface SenderSessionDeps {
  names: Names;
  connections: RedisNode[];
  fail(error: Error): void;
  timing: StreamTiming;
  direct: DirectSender;
}

/** The API process whose caller waits. */
interface Listener {
  receiverId: string;
  direct: Direct | undefined;
}

/** From the question to the stream. */
interface OpenQuestion {
  answered(listener: Listener | undefined): void;
  /** Nobody waits any more. */
  isOver: boolean;
}

type TaskClaim = Pick<ListenerQuestion, 'taskId' | 'fence'>;

/** Finds the listeners of tasks and sends to them, for as long as the connections last. */
export class SenderSession implements Session {
  readonly #deps: SenderSessionDeps;
  readonly #commands: RedisNode;
  readonly #subscriber: RedisNode;
  readonly #workerId = randomUUID();
  readonly #questions = new Map<string, OpenQuestion>();
  readonly #receivers: Receivers;
  #timers: NodeJS.Timeout[] = [];

  constructor(deps: SenderSessionDeps) {
    this.#deps = deps;
    [this.#commands, this.#subscriber] = deps.connections as [RedisNode, RedisNode];
    this.#receivers = new Receivers(deps.timing);
  }

  async begin(): Promise<void> {
    const { names, timing, fail } = this.#deps;
    this.#subscriber.on('message', (_channel, text: string) => {
      try {
        this.#receive(decodeMessage(text));
      } catch (error) {
        fail(error as Error);
      }
    });
    await this.#subscriber.subscribe(names.workerChannel(this.#workerId));
    this.#timers = [
      setInterval(() => this.#sendHeartbeats(), timing.workerHeartbeatMs),
      setInterval(() => this.#receivers.loseSilent(), timing.apiHeartbeatMs),
    ];
  }

  /** Undefined: nobody listens, or nobody answered in time. */
  async open({ taskId, fence, signal }: StreamClaim): Promise<OutgoingStream | undefined> {
    const key = keyOf(taskId, fence);
    const question: OpenQuestion = { answered: () => undefined, isOver: false };
    const answer = new Promise<Listener | undefined>((answered) => {
      question.answered = answered;
    });
    this.#questions.set(key, question);
    const listener = await this.#ask({ taskId, fence }, answer, signal);
    const stream = listener && (await this.#openStream(listener, question, { taskId, fence, signal }));
    this.#questions.delete(key);
    if (stream) return stream;
    // The answer may have come in the moment in which the signal ended the asking.
    void answer.then((late) => late && this.#add(late.receiverId, { kind: 'lost', taskId, fence, value: null }));
    return undefined;
  }

  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#subscriber.removeAllListeners('message');
    for (const question of this.#questions.values()) endQuestion(question);
    this.#receivers.loseAll();
  }

  async #ask(
    claim: TaskClaim,
    answer: Promise<Listener | undefined>,
    signal: AbortSignal,
  ): Promise<Listener | undefined> {
    const { names, timing, fail } = this.#deps;
    const question = JSON.stringify({
      version: WIRE_VERSION,
      ...claim,
      workerId: this.#workerId,
    } satisfies ListenerQuestion);
    const ask = () => this.#commands.publish(names.questions, question);
    try {
      return await askForListener({ ask, answer, signal, limitMs: timing.answerWithinMs });
    } catch (error) {
      fail(error as Error);
      return undefined;
    }
  }

  #receive(message: ToWorker): void {
    const { kind, receiverId } = message;
    this.#receivers.markAlive(receiverId);
    switch (kind) {
      case 'here':
        this.#receiveHere(receiverId, message);
        break;
      case 'left':
      case 'gone':
        this.#receiveGone(receiverId, message, kind === 'left' ? 'caller_left' : 'api_gone');
        break;
      case 'acknowledged':
      case 'heartbeat':
        this.#receivers.receiveAcknowledged(message);
        break;
      default:
        message satisfies never;
    }
  }

  #receiveHere(receiverId: string, { taskId, fence, direct }: TaskClaim & { direct?: Direct }): void {
    const key = keyOf(taskId, fence);
    const question = this.#questions.get(key);
    if (question) question.answered({ receiverId, direct });
    // The asking was given up meanwhile: the listener must not wait for this worker. A question that was asked twice is answered twice.
    else if (!this.#receivers.has(receiverId, key) && !this.#deps.direct.has(key)) {
      void this.#add(receiverId, { kind: 'lost', taskId, fence, value: null });
    }
  }

  #receiveGone(receiverId: string, { taskId, fence }: TaskClaim, end: StreamEnd): void {
    const key = keyOf(taskId, fence);
    const question = this.#questions.get(key);
    if (question) endQuestion(question);
    this.#receivers.end(receiverId, key, end);
  }

  async #openStream(
    listener: Listener,
    question: OpenQuestion,
    claim: StreamClaim,
  ): Promise<OutgoingStream | undefined> {
    const connected = listener.direct && (await this.#deps.direct.open(listener.direct, claim));
    if (connected) return connected;
    return question.isOver ? undefined : this.#openByRedis(listener.receiverId, claim);
  }

  #openByRedis(receiverId: string, { taskId, fence, signal }: StreamClaim): OutgoingStream {
    const key = keyOf(taskId, fence);
    const stream = new SentStream({
      taskId,
      fence,
      signal,
      add: (entry, bytes) => this.#add(receiverId, entry, bytes),
      onEnd: () => this.#receivers.remove(receiverId, key),
    });
    this.#receivers.add(receiverId, key, stream);
    return stream;
  }

  /** Open questions are listed too: their listener may have answered before this heartbeat arrives. */
  #sendHeartbeats(): void {
    for (const [receiverId, keys] of this.#receivers.inFlight()) {
      const tasks = [...keys, ...this.#questions.keys()].map(taskIdOf);
      void this.#add(receiverId, { kind: 'heartbeat', tasks });
    }
  }

  /** Entries go out in the order of the calls. */
  async #add(receiverId: string, entry: Entry, bytes: Buffer = EMPTY): Promise<void> {
    const { names, fail } = this.#deps;
    const fields = encodeEntry({ workerId: this.#workerId, entry, bytes });
    try {
      const id = await this.#commands.xadd(names.stream(receiverId), 'NOMKSTREAM', '*', ...fields);
      if (id === null) this.#receivers.lose(receiverId);
    } catch (error) {
      fail(error as Error);
    }
  }
}

function endQuestion(question: OpenQuestion): void {
  question.isOver = true;
  question.answered(undefined);
}
