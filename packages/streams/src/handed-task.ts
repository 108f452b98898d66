import type { Family, JsonObject, TaskId, TaskKind } from '@mediagate/contracts';

/** With what a worker that waits for a task would begin one. */
export interface WorkerOffer {
  /** Of the claim that it is to have; it renews it in time. */
  leaseMs: number;
  /** By model, the channel that it would ask. */
  channels: Readonly<Record<string, OfferedChannel>>;
}

/** A worker that waits for a task. It is whoever's has taken it, until it is handed one or left. */
export interface WaitingWorker extends OfferedChannel {
  leaseMs: number;
  /** Nothing is booked for it. */
  leave(): void;
}

/** A task, and the worker that it was booked for. */
export interface HandOver {
  worker: WaitingWorker;
  task: HandedTask;
}

export interface OfferedChannel {
  channelId: string;
  protocol: string;
}

/** A task that is booked together with the claim of one worker and the intent to ask one channel. Nano-units are texts. */
export interface HandedTask {
  taskId: TaskId;
  fence: number;
  attemptId: string;
  channelId: string;
  accountId: string;
  keyId: string;
  family: Family;
  kind: TaskKind;
  model: string;
  operation: string;
  input: JsonObject;
  rates: Record<string, string>;
  reservedNano: string;
  deadlineMs: number;
  traceContext?: string | undefined;
}

/** As a worker, perhaps of another release, has sent it. @throws Error for what no task can be booked by. */
export function readOffer(sent: unknown): WorkerOffer {
  const { leaseMs, channels } = (sent ?? {}) as Partial<WorkerOffer>;
  const isLease = Number.isFinite(leaseMs) && Number(leaseMs) > 0;
  if (!isLease || !Object.values(channels ?? [undefined]).every(isChannel)) throw new Error('no offer of a worker');
  return sent as WorkerOffer;
}

function isChannel(channel: Partial<OfferedChannel> | undefined): boolean {
  return typeof channel?.channelId === 'string' && typeof channel.protocol === 'string';
}

/** Of a handed task's message: more would not fit its frame, whatever characters it is of. */
export const HANDED_INPUT_MAX_CHARACTERS = 12 * 1024;

/**
 * How old the worker's own time that a handed task comes with may be. Until this is over the API process, which last heard of the worker
 * then or later, has not taken it for lost.
 */
export function handedWithinMs({ silenceMs }: { silenceMs: number }): number {
  return silenceMs / 2;
}
