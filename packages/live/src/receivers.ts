import type { DeliveryEnd } from './delivery';
import type { SentTask } from './sent-task';
import type { LiveTiming } from './timing';
import type { ToWorker } from './wire';

/** A task may be met again, under its next fence, before its last meeting is over. */
export const keyOf = (taskId: string, fence: number) => `${taskId} ${fence}`;
export const taskIdOf = (key: string) => key.slice(0, key.indexOf(' '));

/** The API processes that a worker sends to, and its tasks by them. Knows nothing of Redis. */
export interface Receivers {
  add(receiverId: string, key: string, task: SentTask): void;
  remove(receiverId: string, key: string): void;
  has(receiverId: string, key: string): boolean;
  end(receiverId: string, key: string, end: DeliveryEnd): void;
  hearTaken(message: ToWorker & { kind: 'taken' | 'pulse' }): void;
  /** It lives. */
  hearFrom(receiverId: string): void;
  lose(receiverId: string): void;
  /** To be called with every pulse. */
  loseTheSilent(): void;
  loseAll(): void;
  /** Those with tasks, and the keys of these. */
  inHand(): [receiverId: string, keys: string[]][];
}

interface Receiver {
  heardAt: number;
  tasks: Map<string, SentTask>;
}

export function createReceivers({ pulseMs, silenceMs }: LiveTiming): Receivers {
  const receivers = new Map<string, Receiver>();
  let checkedAt = performance.now();

  function lose(receiverId: string): void {
    const tasks = receivers.get(receiverId)?.tasks;
    receivers.delete(receiverId);
    for (const task of tasks?.values() ?? []) task.end('api_gone');
  }

  return {
    lose,
    add(receiverId, key, task) {
      const receiver = receivers.get(receiverId) ?? { heardAt: performance.now(), tasks: new Map() };
      receivers.set(receiverId, receiver);
      receiver.tasks.set(key, task);
    },
    remove: (receiverId, key) => void receivers.get(receiverId)?.tasks.delete(key),
    has: (receiverId, key) => receivers.get(receiverId)?.tasks.has(key) ?? false,
    end: (receiverId, key, end) => receivers.get(receiverId)?.tasks.get(key)?.end(end),
    hearTaken(message) {
      const tasks = receivers.get(message.receiverId)?.tasks ?? new Map<string, SentTask>();
      for (const [taskId, fence, bytes] of message.tasks) tasks.get(keyOf(taskId, fence))?.hearTaken(bytes);
      if (message.kind === 'taken') return;
      for (const [taskId, fence] of message.left) tasks.get(keyOf(taskId, fence))?.end('caller_left');
      const named = new Set([...message.tasks, ...message.left].map(([taskId, fence]) => keyOf(taskId, fence)));
      for (const [key, task] of tasks) if (!named.has(key)) task.end('api_gone');
    },
    hearFrom(receiverId) {
      const receiver = receivers.get(receiverId);
      if (receiver) receiver.heardAt = performance.now();
    },
    loseTheSilent() {
      const now = performance.now();
      // This process itself stood still, and what came meanwhile is not read yet.
      const wasAway = now - checkedAt > pulseMs + silenceMs / 2;
      checkedAt = now;
      for (const [receiverId, receiver] of receivers) {
        if (receiver.tasks.size === 0) receivers.delete(receiverId);
        else if (wasAway) receiver.heardAt = now;
        else if (now - receiver.heardAt > silenceMs) lose(receiverId);
      }
    },
    loseAll() {
      for (const receiverId of [...receivers.keys()]) lose(receiverId);
    },
    inHand: () =>
      [...receivers].flatMap(([receiverId, { tasks }]) => (tasks.size > 0 ? [[receiverId, [...tasks.keys()]]] : [])),
  };
}
