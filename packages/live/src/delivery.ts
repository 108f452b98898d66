import type { TaskFailureReason } from '@mediagate/contracts';

/** Bytes of one task that may be on their way, unacknowledged by the caller's socket. */
export const WINDOW_BYTES = 256 * 1024;

/** Why there is nobody to send to any more. */
export type DeliveryEnd = 'caller_left' | 'api_gone';

export class DeliveryEndedError extends Error {
  readonly end: DeliveryEnd;

  constructor(end: DeliveryEnd) {
    super(end === 'caller_left' ? 'the caller left' : 'the API process of the caller is gone');
    this.end = end;
  }
}

export interface TaskFailure {
  reason: TaskFailureReason;
  /** Fit for the caller. */
  message: string;
  param?: string;
}

/**
 * One task from the worker's side, under one fence. It ends with one of the words `settled`, `failed`, `released` and
 * `lost`, each of which is best effort: a listener that does not hear it takes the worker for lost.
 */
export interface Delivery {
  /** Aborts as soon as nobody is there any more; `ended` tells why. */
  readonly signal: AbortSignal;
  readonly ended: DeliveryEnd | undefined;
  /** Resolves when there is room for the next chunk. @throws DeliveryEndedError, or the reason of the meeting's signal. */
  send(chunk: Uint8Array): Promise<void>;
  /** No chunk comes after. Resolves when the caller's socket has taken every byte. @throws as `send` does. */
  finish(): Promise<void>;
  settled(): Promise<void>;
  failed(failure: TaskFailure): Promise<void>;
  /** Before the first chunk: the task goes on under a later fence. */
  released(): Promise<void>;
  /** Nobody knows here what became of the task. Nothing happens after another last word. */
  lost(): Promise<void>;
}

/** One of a worker process. */
export interface LiveSender {
  /**
   * Asks who waits for the task. Undefined: nobody, or the caller has left, or Redis is away.
   *
   * @param signal of the worker's hold on the task: ends the asking, and whatever the delivery waits for.
   */
  meet(taskId: string, fence: number, signal: AbortSignal): Promise<Delivery | undefined>;
  /** Ends every delivery with `api_gone`. */
  close(): Promise<void>;
}
