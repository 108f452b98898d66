import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { openInbox } from './inbox';
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
} from './wire';

export interface ReceiverSession extends Session {
  /** Sent in the next turn of the event loop, together with the worker's other acknowledgements. */
  acknowledge(workerId: string, stream: ReceivedStream): void;
  reportGone(workerId: string, stream: ReceivedStream, kind: Gone): void;
}

interface ReceiverSessionDeps {
  names: Names;
  connections: Redis[];
  fail(error: Error): void;
  /** By task id. */
  streams: ReadonlyMap<string, ReceivedStream>;
  timing: StreamTiming;
}

/** Receives what workers send for all `streams`, and acknowledges it, for as long as the connections last. */
export async function openReceiverSession(deps: ReceiverSessionDeps): Promise<ReceiverSession> {
  const { names, fail, streams, timing } = deps;
  const [commands, subscriber, reading] = deps.connections as [Redis, Redis, Redis];
  const receiverId = randomUUID();
  /** When each worker that has a stream here last sent anything. */
  const lastReceivedAt = new Map<string, number>();
  const toAcknowledge = new Map<string, Set<ReceivedStream>>();
  let checkedAt = performance.now();

  const streamsOf = (workerId: string) => [...streams.values()].filter((stream) => stream.workerId === workerId);

  function loseWorker(workerId: string): void {
    lastReceivedAt.delete(workerId);
    for (const stream of streamsOf(workerId)) stream.loseWorker();
  }

  /** A channel without a subscriber belonged to a process that is gone. */
  function publish(workerId: string, message: ToWorker): void {
    commands.publish(names.workerChannel(workerId), encodeMessage(message)).then((subscribers) => {
      if (subscribers === 0) loseWorker(workerId);
    }, fail);
  }

  function answer(question: ListenerQuestion): void {
    const { workerId, taskId, fence } = question;
    const kind = streams.get(taskId)?.answer(question);
    if (kind === undefined) return;
    lastReceivedAt.set(workerId, performance.now());
    publish(workerId, { kind, taskId, fence, receiverId });
  }

  function receive(sent: Sent): void {
    const { workerId, entry } = sent;
    lastReceivedAt.set(workerId, performance.now());
    if (entry.kind === 'heartbeat') {
      const listed = new Set(entry.tasks);
      for (const stream of streamsOf(workerId)) stream.receiveHeartbeat(listed.has(stream.taskId));
    } else {
      streams.get(entry.taskId)?.receive(sent);
    }
  }

  function publishAcknowledgements(): void {
    for (const [workerId, itsStreams] of toAcknowledge) {
      publish(workerId, { kind: 'acknowledged', receiverId, tasks: acknowledgementsOf(itsStreams) });
    }
    toAcknowledge.clear();
  }

  function heartbeat(): void {
    const now = performance.now();
    // After a pause of this very process, messages that came meanwhile are still unread: nobody is silent yet.
    const wasPaused = now - checkedAt > timing.apiHeartbeatMs + timing.silenceMs / 2;
    checkedAt = now;
    const byWorker = groupByWorker(streams.values());
    for (const workerId of lastReceivedAt.keys()) {
      if (wasPaused || !byWorker.has(workerId)) lastReceivedAt.delete(workerId);
    }
    for (const [workerId, itsStreams] of byWorker) {
      const lastAt = lastReceivedAt.get(workerId) ?? now;
      lastReceivedAt.set(workerId, lastAt);
      if (now - lastAt > timing.silenceMs) loseWorker(workerId);
      else publishHeartbeat(workerId, itsStreams);
    }
    inbox.keep().catch(fail);
  }

  function publishHeartbeat(workerId: string, itsStreams: readonly ReceivedStream[]): void {
    const left = itsStreams.filter((stream) => stream.acknowledgement() === undefined).map(namedByFence);
    publish(workerId, { kind: 'heartbeat', receiverId, tasks: acknowledgementsOf(itsStreams), left });
  }

  const lifetimeMs = 3 * timing.silenceMs;
  const inbox = await openInbox({ commands, reading, key: names.stream(receiverId), lifetimeMs, receive, fail });
  subscriber.on('message', (_channel, text: string) => {
    try {
      answer(JSON.parse(text) as ListenerQuestion);
    } catch (error) {
      fail(error as Error);
    }
  });
  await subscriber.subscribe(names.questions);
  const heartbeats = setInterval(heartbeat, timing.apiHeartbeatMs);

  return {
    acknowledge(workerId, stream) {
      if (toAcknowledge.size === 0) setImmediate(publishAcknowledgements);
      toAcknowledge.set(workerId, (toAcknowledge.get(workerId) ?? new Set()).add(stream));
    },
    reportGone: (workerId, { taskId, fence }, kind) => publish(workerId, { kind, taskId, fence, receiverId }),
    async end() {
      clearInterval(heartbeats);
      subscriber.removeAllListeners('message');
      for (const stream of [...streams.values()]) stream.loseWorker();
      await inbox.close();
    },
  };
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
