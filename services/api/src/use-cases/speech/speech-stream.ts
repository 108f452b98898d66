import { AsyncResource } from 'node:async_hooks';
import type { FinishOutcome, FinishRequest } from '@mediagate/billing';
import { type Callbacks, enqueueCallback } from '@mediagate/callbacks';
import { isTerminal, type TaskFailureReason, type TaskId } from '@mediagate/contracts';
import { type Logger, markEvent } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import type { WaitingCaller } from '@mediagate/speech';
import type { Claim, ReadRow, TaskRow } from '@mediagate/tasks';
import type { SpeechLimits } from '../../request-limits';
import { CallerLeftError } from '../caller-connection';
import { endError, failureIn, lostFailureIn, speechFailure } from '../task-failure';

export interface SpeechStreamDeps {
  finish(finish: FinishRequest): Promise<FinishOutcome>;
  readTask(id: string): Promise<ReadRow | undefined>;
  /** Takes back the request to cancel the task. */
  declineCancel(task: Claim): Promise<unknown>;
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
  readonly #deps: SpeechStreamDeps;
  readonly #waiting: WaitingCaller;
  readonly #firstByteBy: number;
  #speakBy = Number.POSITIVE_INFINITY;
  /** Since the last look. */
  #isSilent = true;
  #phase: 'waiting' | 'speaking' | 'over' = 'waiting';
  readonly #timers: RequestTimers;
  #interrupted: Promise<void> | undefined;

  constructor(
    taskId: TaskId,
    { accountId, writable, timers, waiting }: SpeechCaller & { waiting: WaitingCaller },
    deps: SpeechStreamDeps,
  ) {
    this.#taskId = taskId;
    this.#accountId = accountId;
    this.#writable = writable;
    this.#timers = timers.open();
    this.#deps = deps;
    this.#waiting = waiting;
    this.#firstByteBy = performance.now() + deps.limits.firstByteMs;
    this.#checkLater();
    writable.onLeave(() => this.#waiting.leave());
    if (writable.left) this.#waiting.leave();
    this.done = this.#forward()
      .catch((error: unknown) => this.#breakOff(error))
      .finally(() => this.#end());
  }

  /** Ends the task with a refund, whatever its worker does. A worker that comes meanwhile finds nobody, so no vendor is asked. */
  interrupt(reason: TaskFailureReason): Promise<void> {
    this.#waiting.admitNobody();
    this.#interrupted ??= this.#endTask('any', reason).finally(() => this.#waiting.close());
    // The code that awaits `done` gets its error.
    return this.#interrupted.catch(() => undefined);
  }

  /** Its account wants it cancelled: it ends with a refund, unless a worker has it, whose vendor may have been asked and is paid. */
  async cancel(): Promise<void> {
    const { fence, isClaimed } = this.#waiting;
    if (this.#phase === 'waiting' && !isClaimed) return this.interrupt('cancelled');
    if (this.#phase === 'over') return;
    await this.#deps.declineCancel({ id: this.#taskId, fence });
    // A cancellation before the worker wrote its intent has ended the task.
    await this.#look();
  }

  async #forward(): Promise<void> {
    const { kind, fence } = await this.#waiting.hear(
      // Audio comes with the worker's request, and belongs to the caller's: to its trace, and to what ends it if something fails.
      AsyncResource.bind((bytes: Buffer, onTaken: () => void) => this.#send(bytes, onTaken)),
    );
    switch (kind) {
      case 'settled':
        return this.#writable.end();
      case 'failed':
        return this.#refuse(await this.#deps.readTask(this.#taskId), 'internal_error', failureIn);
      case 'worker_lost':
        return this.#endTask(fence, 'outcome_unknown');
      case 'abandoned':
        // The end that its last worker kept, if it asked a vendor, is for anybody but the holder of its fence.
        return this.#endTask('any', 'caller_left');
      case 'closed':
        if (this.#interrupted === undefined) throw new Error('a speech was closed without an end');
        return this.#interrupted;
      default:
        return kind satisfies never;
    }
  }

  #send(bytes: Buffer, onTaken: () => void): void {
    this.#isSilent = false;
    if (this.#phase === 'waiting') {
      this.#phase = 'speaking';
      markEvent('first_byte');
      this.#speakBy = performance.now() + this.#deps.limits.speakMs;
    }
    this.#writable.send(bytes, onTaken);
  }

  #checkLater(): void {
    const leftMs = Math.max(this.#speakBy - performance.now(), 0);
    this.#timers.after(Math.min(this.#deps.limits.lookMs, leftMs), () => void this.#check());
  }

  async #check(): Promise<void> {
    const isSilent = this.#isSilent;
    this.#isSilent = true;
    if (this.#phase === 'waiting') await this.#checkWaiting();
    else if (performance.now() >= this.#speakBy) this.#giveUp();
    // A frozen worker keeps its connection, and loses its lease.
    else if (isSilent) await this.#look();
    if (this.#phase !== 'over' && this.#interrupted === undefined) this.#checkLater();
  }

  /** A task may end without a message to its caller: by its deadline, an operator, or a worker that did not reach this process. */
  async #checkWaiting(): Promise<void> {
    const { fence } = this.#waiting;
    // The worker of one who has left ends the task when it knows what that costs.
    const isLate = performance.now() > this.#firstByteBy && !this.#writable.left;
    if (isLate) return this.interrupt(fence === 0 ? 'no_upstream' : 'timeout');
    const row = await this.#look();
    const stillWaits = this.#phase === 'waiting' && this.#interrupted === undefined;
    if (stillWaits && row && this.#waiting.fence === 0) this.#enqueueAgain(row);
  }

  /** Reads the task; ends the stream if the task has ended, because no further byte will come. */
  async #look(): Promise<ReadRow | undefined> {
    const row = await this.#deps.readTask(this.#taskId).catch(() => undefined);
    if (this.#phase !== 'over' && row && isTerminal(row.status)) await this.interrupt('internal_error');
    return row;
  }

  /** A caller who reads too slowly is treated as one who hung up; otherwise the vendor took too long. */
  #giveUp(): void {
    // The row is looked at until the end comes: the worker of a caller who was cut off may be silent.
    this.#speakBy = Number.POSITIVE_INFINITY;
    if (this.#writable.behind && !this.#writable.left) this.#writable.cut();
    else void this.interrupt('timeout');
  }

  async #endTask(fence: FinishRequest['fence'], given: TaskFailureReason): Promise<void> {
    const reason = this.#writable.left ? 'caller_left' : given;
    const outcome = { kind: 'failed', error: endError(reason) } as const;
    const [taskId, accountId] = [this.#taskId, this.#accountId];
    const ended = await this.#deps.finish({ taskId, accountId, fence, outcome });
    void enqueueCallback(this.#deps.callbacks, ended);
    const row = ended.won ? undefined : await this.#deps.readTask(this.#taskId);
    // A task is settled only once the caller has taken every byte, so only the worker's last word was lost.
    if (row?.status === 'completed') return this.#writable.end();
    if (row !== undefined) return this.#refuse(row, reason, lostFailureIn);
    if (this.#writable.left) throw new CallerLeftError();
    throw speechFailure(reason, { message: outcome.error.template });
  }

  /** @throws what the task's row says, or the given reason where it says nothing. */
  #refuse(row: ReadRow | undefined, given: TaskFailureReason, read: typeof failureIn): never {
    if (this.#writable.left) throw new CallerLeftError();
    const { reason = given, ...failure } = row ? read(row) : {};
    throw speechFailure(reason, failure);
  }

  /** A worker may have died between the queue and the claim; the caller does not wait until the reconciler notices. */
  #enqueueAgain({ family, fence, model, operation, accountId }: TaskRow): void {
    const shown = { model, operation, accountId };
    const task = { ...shown, family, taskId: this.#taskId, fence, distinct: 'waiting' };
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
    this.#timers.close();
  }
}
