import type { StreamEnd } from './outgoing-stream';
import type { SentStream } from './sent-stream';
import type { StreamTiming } from './timing';
import type { ToWorker } from './wire';

/** A task may be claimed again, under its next fence, before the stream of its last claim is over. */
export const keyOf = (taskId: string, fence: number) => `${taskId} ${fence}`;
export const taskIdOf = (key: string) => key.slice(0, key.indexOf(' '));

interface Receiver {
  aliveAt: number;
  streams: Map<string, SentStream>;
}

/** The API processes that a worker sends to, each with its streams by key. It knows nothing of Redis. */
export class Receivers {
  readonly #timing: StreamTiming;
  readonly #receivers = new Map<string, Receiver>();
  #checkedAt = performance.now();

  constructor(timing: StreamTiming) {
    this.#timing = timing;
  }

  add(receiverId: string, key: string, stream: SentStream): void {
    const receiver = this.#receivers.get(receiverId) ?? { aliveAt: performance.now(), streams: new Map() };
    this.#receivers.set(receiverId, receiver);
    receiver.streams.set(key, stream);
  }

  remove(receiverId: string, key: string): void {
    this.#receivers.get(receiverId)?.streams.delete(key);
  }

  has(receiverId: string, key: string): boolean {
    return this.#receivers.get(receiverId)?.streams.has(key) ?? false;
  }

  end(receiverId: string, key: string, end: StreamEnd): void {
    this.#receivers.get(receiverId)?.streams.get(key)?.end(end);
  }

  receiveAcknowledged(message: ToWorker & { kind: 'acknowledged' | 'heartbeat' }): void {
    const streams = this.#receivers.get(message.receiverId)?.streams ?? new Map<string, SentStream>();
    for (const [taskId, fence, bytes] of message.tasks) {
      streams.get(keyOf(taskId, fence))?.receiveAcknowledged(bytes);
    }
    if (message.kind === 'acknowledged') return;
    for (const [taskId, fence] of message.left) streams.get(keyOf(taskId, fence))?.end('caller_left');
    const named = new Set([...message.tasks, ...message.left].map(([taskId, fence]) => keyOf(taskId, fence)));
    for (const [key, stream] of streams) if (!named.has(key)) stream.end('api_gone');
  }

  markAlive(receiverId: string): void {
    const receiver = this.#receivers.get(receiverId);
    if (receiver) receiver.aliveAt = performance.now();
  }

  /** The process is gone: its streams end. */
  lose(receiverId: string): void {
    const streams = this.#receivers.get(receiverId)?.streams;
    this.#receivers.delete(receiverId);
    for (const stream of streams?.values() ?? []) stream.end('api_gone');
  }

  loseAll(): void {
    for (const receiverId of [...this.#receivers.keys()]) this.lose(receiverId);
  }

  /** Loses the processes that have sent nothing for `silenceMs`. To be called every `apiHeartbeatMs`. */
  loseSilent(): void {
    const { apiHeartbeatMs, silenceMs } = this.#timing;
    const now = performance.now();
    // After a pause of this very process, messages that came meanwhile are still unread: nobody is silent yet.
    const wasPaused = now - this.#checkedAt > apiHeartbeatMs + silenceMs / 2;
    this.#checkedAt = now;
    for (const [receiverId, receiver] of this.#receivers) {
      if (receiver.streams.size === 0) this.#receivers.delete(receiverId);
      else if (wasPaused) receiver.aliveAt = now;
      else if (now - receiver.aliveAt > silenceMs) this.lose(receiverId);
    }
  }

  /** Those with streams, and the keys of these. */
  inFlight(): [receiverId: string, keys: string[]][] {
    return [...this.#receivers].flatMap(([receiverId, { streams }]) =>
      streams.size > 0 ? [[receiverId, [...streams.keys()]]] : [],
    );
  }
}
