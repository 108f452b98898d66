import type { ListenerAddress, Message, TaskFailureReason } from '@mediagate/contracts';
import type { HandedTask, WorkerOffer } from './handed-task';

/** Bytes of one task that may be in flight, sent and not yet acknowledged by the caller's socket. */
export const WINDOW_BYTES = 256 * 1024;

/** Why nobody receives a stream any more. */
export type StreamEnd = 'caller_left' | 'api_gone';

export class StreamEndedError extends Error {
  readonly end: StreamEnd;

  constructor(end: StreamEnd) {
    super(end === 'caller_left' ? 'the caller left' : 'the API process of the caller is gone');
    this.end = end;
  }
}

export interface TaskFailure {
  reason: TaskFailureReason;
  message: Message;
  param?: string;
}

/**
 * The answer to one task as its worker sends it, under one fence. It ends with one of `settled`, `failed`, `released` and
 * `lost`, each of which is best effort: a listener that does not receive it takes the worker for lost.
 */
export interface OutgoingStream {
  /** Aborts as soon as nobody receives any more; `ended` says why. */
  readonly signal: AbortSignal;
  readonly ended: StreamEnd | undefined;
  /**
   * Resolves when the window has admitted the chunk; undefined: it has. Rejects with a StreamEndedError, or the reason of the signal given to
   * `open`.
   */
  send(chunk: Uint8Array): Promise<void> | undefined;
  /** No chunk comes after. Resolves when the caller's socket has taken every byte. @throws as `send` does. */
  finish(): Promise<void>;
  settled(): Promise<void>;
  failed(failure: TaskFailure): Promise<void>;
  /** Before the first chunk: the task continues under a later fence. */
  released(): Promise<void>;
  /** This worker does not know how the task ends. Does nothing after `settled`, `failed` or `released`. */
  lost(): Promise<void>;
}

/** A worker's hold on a task. */
export interface StreamClaim {
  taskId: string;
  fence: number;
  signal: AbortSignal;
}

/** A connection to whoever waits for a task, before the task is claimed. */
export interface EarlyConnection {
  /** For `StreamSender.open`. Undefined: nobody waits there, or it has carried a claim already. */
  open(claim: StreamClaim): Promise<OutgoingStream | undefined>;
  /** Once the claim is over, or was not had; not after `open`. */
  close(): void;
}

/** Whoever does the tasks of a worker process. */
export interface TaskTaker {
  /** @param idle connections that wait for a task already. Undefined: it takes no more than those bring. */
  offer(idle: number): WorkerOffer | undefined;
  take(task: HandedTask, way: HandedOver): void;
}

export interface HandedOver {
  /** By this process's monotonic clock, before the claim that the task was booked with. */
  claimAskedAt: number;
  /** By the same clock: later the API process may have taken this one for lost, and have refunded the task. */
  beginBy: number;
  /** To whoever waits for the answer. */
  connection: EarlyConnection;
}

/** The sending side of a worker process. */
export interface StreamSender {
  /** From now on connections stay open after their answers, and API processes hand over tasks on them. */
  takeTasks(taker: TaskTaker): void;
  /** No connection waits for a task any more. Resolves once those that were booked for this process are taken. */
  takeNoMore(): Promise<void>;
  /** Connects to the address that a task's job names. Whether anybody is there is for `open` to say. */
  connect(taskId: string, address: ListenerAddress): EarlyConnection;
  /**
   * Asks which API process has a caller waiting for the task, and opens a stream to it. Undefined: none has, the caller has
   * left, or Redis is away.
   *
   * @param claim its `signal` is of the worker's lease on the task: it ends the asking, and every wait of the stream.
   * @param early of this task: who is there need not be asked for.
   */
  open(claim: StreamClaim, early?: EarlyConnection): Promise<OutgoingStream | undefined>;
  /** Ends every stream with `api_gone`. */
  close(): Promise<void>;
}
