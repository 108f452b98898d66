import type { Finish, Finished } from '@mediagate/billing';
import { type Callbacks, enqueueCallback } from '@mediagate/callbacks';
import {
  isTaskFailureReason,
  isTerminal,
  type Message,
  storedMessage,
  type TaskFailureReason,
  type TaskId,
} from '@mediagate/contracts';
import { type Logger, markEvent } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import type { HandOver, IncomingStream, StreamReceiver } from '@mediagate/streams';
import type { Claim, ReadRow, TaskRow } from '@mediagate/tasks';
import type { SpeechLimits } from '../../request-limits';
import { CallerLeftError } from '../caller-connection';
import { endError } from '../task-end';
import { speechFailure } from './speech-failure';

export interface SpeechStreamDeps {
  streams: Pick<StreamReceiver, 'listen'>;
  finish(finish: Finish): Promise<Finished>;
  readTask(id: string): Promise<ReadRow | undefined>;
  /** Takes back the request to cancel the task. */
  declineCancel(task: Claim): Promise<void>;
  queues: Pick<Queues, 'enqueueTask'>;
  callbacks: Pick<Callbacks, 'queue' | 'logger'>;
  logger: Logger;
  limits: SpeechLimits;
}

/** The caller's end of the connection. */
export interface AudioWritable {
  /** The connection is gone before the end was sent. */
  readonly left: boolean;
  /** The connection has not taken all bytes yet. */
  readonly behind: boolean;
  onLeave(run: () => void): void;
  /** Calls `onTaken` when the connection has taken the bytes, and never if it broke before. */
  send(bytes: Buffer, onTaken: () => void): void;
  end(): void;
  /** Ends the connection at once, whatever waits. */
  cut(): void;
  /** Ends the connection without an end of the answer, once the waiting bytes are taken: the caller gets its beginning. */
  breakOff(): Promise<void>;
}

/** The caller who waits for a speech. */
export interface SpeechCaller {
  accountId: string;
  writable: AudioWritable;
  timers: RequestTimers;
  /** Whom the task was booked for; absent: it goes by the queue. */
  handOver?: HandOver | undefined;
}

/** The timers of the caller's request, which end with it. */
export interface RequestTimers {
  /** Some of them, which can be ended by themselves. */
  open(): RequestTimers;
  /** Runs it once, so many milliseconds from now; never after the end. */
  after(ms: number, run: () => void): void;
  close(): void;
}

/**
 * Carries the speech of one task from its worker to the caller who waits. A caller has the complete answer only of a task
 * that is settled. Where no worker can end the task any more it is ended here; the fence lets only one end win.
 */
export class SpeechStream {
  /**
   * Resolves when the caller has the complete answer and the task is settled. @throws GatewayError the task is refunded, or
   * will be; CallerLeftError; DatabaseUnavailableError, and then the reconciler ends the task.
   */
  readonly done: Promise<void>;
  readonly #taskId: TaskId;
  readonly #accountId: string;
  readonly #writable: AudioWritable;
  readonly #requestTimers: RequestTimers;
  readonly #deps: SpeechStreamDeps;
  readonly #incoming: IncomingStream;
  readonly #firstByteBy: number;
  #phase: 'waiting' | 'speaking' | 'over' = 'waiting';
  #phaseTimers: RequestTimers;
  #interrupted: Promise<void> | undefined;

  constructor(taskId: TaskId, { accountId, writable, timers, handOver }: SpeechCaller, deps: SpeechStreamDeps) {
    this.#taskId = taskId;
    this.#accountId = accountId;
    this.#writable = writable;
    this.#requestTimers = timers;
    this.#deps = deps;
    this.#incoming = deps.streams.listen(taskId, handOver);
    this.#firstByteBy = performance.now() + deps.limits.firstByteMs;
    this.#phaseTimers = timers.open();
    this.#checkLater();
    writable.onLeave(() => this.#incoming.leave());
    if (writable.left) this.#incoming.leave();
    this.done = this.#forward()
      .catch((error: unknown) => this.#breakOff(error))
      .finally(() => this.#end());
  }

  /** Ends the task with a refund, whatever its worker does. */
  interrupt(reason: TaskFailureReason): Promise<void> {
    this.#interrupted ??= this.#endTask('any', reason).finally(() => this.#incoming.close());
    // Its error goes to whoever waits for `done`.
    return this.#interrupted.catch(() => undefined);
  }

  /** Its account wants it cancelled: it ends with a refund, unless a worker has it, whose vendor may have been asked and is paid. */
  async cancel(): Promise<void> {
    const { fence, isClaimed } = this.#incoming;
    if (this.#phase === 'waiting' && !isClaimed) return this.interrupt('cancelled');
    if (this.#phase === 'over') return;
    await this.#deps.declineCancel({ id: this.#taskId, fence });
    // Before the intent was written the task has ended by it.
    await this.#look();
  }

  async #forward(): Promise<void> {
    for await (const event of this.#incoming) {
      switch (event.kind) {
        case 'claimed':
          break;
        case 'chunk':
          this.#send(event.bytes);
          break;
        case 'settled':
          return this.#writable.end();
        case 'failed':
          throw this.#writable.left ? new CallerLeftError() : speechFailure(event.reason, event);
        case 'worker_lost':
          return this.#endTask(event.fence, event.fence === 0 ? 'no_upstream' : 'outcome_unknown');
        case 'abandoned':
          return this.#endTask(event.fence, 'caller_left');
        default:
          return event satisfies never;
      }
    }
    if (this.#interrupted === undefined) throw new Error('the events of a speech ended without an end');
    return this.#interrupted;
  }

  #send(bytes: Buffer): void {
    if (this.#phase === 'waiting') {
      this.#phase = 'speaking';
      markEvent('first_byte');
      this.#phaseTimers.close();
      this.#phaseTimers = this.#requestTimers.open();
      this.#phaseTimers.after(this.#deps.limits.speakMs, () => this.#giveUp());
    }
    this.#writable.send(bytes, () => this.#incoming.acknowledge(bytes.length));
  }

  #checkLater(): void {
    this.#phaseTimers.after(this.#deps.limits.lookMs, () => void this.#check());
  }

  /** A task may end without a message to its listener: by its deadline, an operator, or a worker that found no listener. */
  async #check(): Promise<void> {
    const { fence } = this.#incoming;
    // The worker of one who has left ends the task when it knows what that costs.
    const isLate = performance.now() > this.#firstByteBy && !this.#writable.left;
    if (isLate) return this.interrupt(fence === 0 ? 'no_upstream' : 'timeout');
    const row = await this.#look();
    if (this.#phase !== 'waiting' || this.#interrupted !== undefined) return;
    if (row && this.#incoming.fence === 0) this.#enqueueAgain(row);
    this.#checkLater();
  }

  /** Of a task that has ended nobody waits for the first byte any more. */
  async #look(): Promise<ReadRow | undefined> {
    const row = await this.#deps.readTask(this.#taskId).catch(() => undefined);
    if (this.#phase === 'waiting' && row && isTerminal(row.status)) await this.interrupt('internal_error');
    return row;
  }

  /** A caller who reads too slowly is treated as one who hung up; otherwise the vendor took too long. */
  #giveUp(): void {
    if (this.#writable.behind && !this.#writable.left) this.#writable.cut();
    else void this.interrupt('timeout');
  }

  async #endTask(fence: Finish['fence'], given: TaskFailureReason): Promise<void> {
    const reason = this.#writable.left ? 'caller_left' : given;
    const outcome = { kind: 'failed', error: endError(reason) } as const;
    const [taskId, accountId] = [this.#taskId, this.#accountId];
    const ended = await this.#deps.finish({ taskId, accountId, fence, outcome });
    void enqueueCallback(this.#deps.callbacks, ended);
    const row = ended.won ? undefined : await this.#deps.readTask(this.#taskId);
    // A task is settled only once the caller has taken every byte, so only the worker's last message was lost.
    if (row?.status === 'completed') return this.#writable.end();
    if (this.#writable.left) throw new CallerLeftError();
    if (row === undefined) throw speechFailure(reason, { message: outcome.error.template });
    throw speechFailure(reasonIn(row) ?? reason, messageIn(row));
  }

  /** A worker may have died between the queue and the claim; the caller does not wait until the reconciler notices. */
  #enqueueAgain({ family, fence }: TaskRow): void {
    const task = { family, taskId: this.#taskId, fence, distinct: 'waiting' };
    this.#deps.queues.enqueueTask(task).catch((error: unknown) => this.#warn(error));
  }

  #warn(error: unknown): void {
    this.#deps.logger.warn('task.enqueue_failed', { taskId: this.#taskId, error });
  }

  async #breakOff(error: unknown): Promise<never> {
    if (this.#phase === 'speaking') await this.#writable.breakOff();
    throw error;
  }

  #end(): void {
    this.#phase = 'over';
    this.#phaseTimers.close();
  }
}

/** Why somebody else has ended the task. A worker that lost its listener writes an internal error: it takes this process for gone. */
function reasonIn({ error }: TaskRow): TaskFailureReason | undefined {
  const reason = error?.['reason'];
  if (reason === 'internal_error') return 'caller_left';
  return isTaskFailureReason(reason) ? reason : undefined;
}

/** The message of a task that somebody else has ended. */
function messageIn({ error }: TaskRow): { message?: Message } {
  return error ? { message: storedMessage(error) } : {};
}
