import { randomUUID } from 'node:crypto';
import type { RedisNode } from '@mediagate/queue';
import type { DirectListener } from './direct-listener';
import { type Inbox, openInbox } from './inbox';
import type { ReceivedStream } from './received-stream';
import type { Session } from './redis-sessions';
import type { StreamTiming } from './timing';
import {
  type Acknowledged,
  encodeMessage,
  type Gone,
  type ListenerQuestion,
  type Names,
  type Sent,
  type ToWorker,
  WIRE_VERSION,
} from './wire';

interface ReceiverSessionDeps {
  names: Names;
  connections: RedisNode[];
  fail(error: Error): void;
  /** Of what does not end the session. */
  report(error: Error): void;
  /** By task id. */
  streams: ReadonlyMap<string, ReceivedStream>;
  timing: StreamTiming;
  direct: DirectListener | undefined;
}

/** Receives what workers send for all `streams`, and acknowledges it, for as long as the connections last. */
export class ReceiverSession implements Session {
  readonly #deps: ReceiverSessionDeps;
  readonly #commands: RedisNode;
  readonly #subscriber: RedisNode;
  readonly #receiverId = randomUUID();
  /** When each worker that has a stream here last sent anything. */
  readonly #lastReceivedAt = new Map<string, number>();
  #checkedAt = performance.now();
  #inbox: Inbox | undefined;
  #heartbeats: NodeJS.Timeout | undefined;

  constructor(deps: ReceiverSessionDeps) {
    this.#deps = deps;
    [this.#commands, this.#subscriber] = deps.connections as [RedisNode, RedisNode, RedisNode];
  }

  async begin(): Promise<void> {
    const { names, timing, fail } = this.#deps;
    const reading = this.#deps.connections[2] as RedisNode;
    this.#inbox = await openInbox({
      commands: this.#commands,
      reading,
      key: names.stream(this.#receiverId),
      lifetimeMs: 3 * timing.silenceMs,
      receive: (sent) => this.#receive(sent),
      fail,
    });
    this.#subscriber.on('message', (_channel, text: string) => {
      try {
        this.#answer(JSON.parse(text) as ListenerQuestion);
      } catch (error) {
        fail(error as Error);
      }
    });
    await this.#subscriber.subscribe(names.questions);
    this.#heartbeats = setInterval(() => this.#exchangeHeartbeats(), timing.apiHeartbeatMs);
  }

  acknowledge(workerId: string, stream: ReceivedStream): void {
    const tasks = acknowledgementsOf([stream]);
    this.#publish(workerId, { kind: 'acknowledged', receiverId: this.#receiverId, tasks });
  }

  reportGone(workerId: string, { taskId, fence }: ReceivedStream, kind: Gone): void {
    this.#publish(workerId, { kind, taskId, fence, receiverId: this.#receiverId });
  }

  async end(): Promise<void> {
    clearInterval(this.#heartbeats);
    this.#subscriber.removeAllListeners('message');
    for (const stream of [...this.#deps.streams.values()]) if (!stream.isConnected) stream.loseWorker();
    await this.#inbox?.close();
  }

  #answer(question: ListenerQuestion): void {
    const { workerId, taskId, fence } = question;
    const stream = this.#deps.streams.get(taskId);
    const kind = stream?.answer(question);
    if (stream === undefined || kind === undefined) return;
    if (!isSpoken(question)) {
      this.#refuse(stream, question);
      return;
    }
    this.#lastReceivedAt.set(workerId, performance.now());
    const answer = { taskId, fence, receiverId: this.#receiverId };
    const direct = kind === 'here' ? this.#deps.direct?.ticketFor(question) : undefined;
    this.#publish(workerId, direct === undefined ? { kind, ...answer } : { kind: 'here', ...answer, direct });
  }

  /** The worker learns that nobody listens, in words of every version, and who waits that the task has no worker. */
  #refuse(stream: ReceivedStream, { version }: ListenerQuestion): void {
    this.#deps.report(new Error(`a worker of another release answers in version ${version} of the streams`));
    stream.loseWorker();
  }

  #receive(sent: Sent): void {
    const { workerId, entry } = sent;
    this.#lastReceivedAt.set(workerId, performance.now());
    if (entry.kind === 'heartbeat') {
      const listed = new Set(entry.tasks);
      for (const stream of this.#streamsOf(workerId)) stream.receiveHeartbeat(listed.has(stream.taskId));
    } else {
      this.#deps.streams.get(entry.taskId)?.receive(sent);
    }
  }

  #exchangeHeartbeats(): void {
    const { streams, timing, fail } = this.#deps;
    const now = performance.now();
    // After a pause of this very process, messages that came meanwhile are still unread: nobody is silent yet.
    const wasPaused = now - this.#checkedAt > timing.apiHeartbeatMs + timing.silenceMs / 2;
    this.#checkedAt = now;
    const byWorker = groupByWorker(streams.values());
    for (const workerId of this.#lastReceivedAt.keys()) {
      if (wasPaused || !byWorker.has(workerId)) this.#lastReceivedAt.delete(workerId);
    }
    for (const [workerId, itsStreams] of byWorker) {
      const lastAt = this.#lastReceivedAt.get(workerId) ?? now;
      this.#lastReceivedAt.set(workerId, lastAt);
      if (now - lastAt > timing.silenceMs) this.#loseWorker(workerId);
      else this.#publishHeartbeat(workerId, itsStreams);
    }
    this.#inbox?.keep().catch(fail);
  }

  #publishHeartbeat(workerId: string, itsStreams: readonly ReceivedStream[]): void {
    const left = itsStreams.filter((stream) => stream.acknowledgement() === undefined).map(namedByFence);
    const tasks = acknowledgementsOf(itsStreams);
    this.#publish(workerId, { kind: 'heartbeat', receiverId: this.#receiverId, tasks, left });
  }

  /** A channel without a subscriber belonged to a process that is gone. */
  #publish(workerId: string, message: ToWorker): void {
    const { names, fail } = this.#deps;
    this.#commands.publish(names.workerChannel(workerId), encodeMessage(message)).then((subscribers) => {
      if (subscribers === 0) this.#loseWorker(workerId);
    }, fail);
  }

  #loseWorker(workerId: string): void {
    this.#lastReceivedAt.delete(workerId);
    for (const stream of this.#streamsOf(workerId)) stream.loseWorker();
  }

  #streamsOf(workerId: string): ReceivedStream[] {
    return [...this.#deps.streams.values()].filter((stream) => stream.workerId === workerId);
  }
}

function isSpoken({ version = 1 }: ListenerQuestion): boolean {
  return version === WIRE_VERSION;
}

function acknowledgementsOf(streams: Iterable<ReceivedStream>): Acknowledged[] {
  return [...streams].flatMap((stream) => {
    const acknowledged = stream.acknowledgement();
    return acknowledged === undefined ? [] : [acknowledged];
  });
}

function namedByFence({ taskId, fence }: ReceivedStream): [string, number] {
  return [taskId, fence];
}

function groupByWorker(streams: Iterable<ReceivedStream>): Map<string, ReceivedStream[]> {
  const byWorker = new Map<string, ReceivedStream[]>();
  for (const stream of streams) {
    const { workerId } = stream;
    if (workerId === undefined) continue;
    const group = byWorker.get(workerId);
    if (group) group.push(stream);
    else byWorker.set(workerId, [stream]);
  }
  return byWorker;
}
