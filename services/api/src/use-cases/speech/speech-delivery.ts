import { type Finish, type Finished, taskError } from '@mediagate/billing';
import {
  isTaskFailureReason,
  isTerminal,
  type Message,
  storedMessage,
  type TaskFailureReason,
  type TaskId,
} from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import type { StreamReceiver } from '@mediagate/streams';
import type { TaskRow } from '@mediagate/tasks';
import type { SpeechLimits } from '../../request-limits';
import { CallerLeftError } from '../caller-connection';
import { speechFailure } from './speech-failure';

export interface SpeechDeliveryDeps {
  streams: Pick<StreamReceiver, 'listen'>;
  finish(finish: Finish): Promise<Finished>;
  readTask(id: string): Promise<TaskRow | undefined>;
  queues: Pick<Queues, 'enqueueDelivery' | 'enqueueTask'>;
  logger: Logger;
  limits: SpeechLimits;
}

/** The caller's end of the connection. */
export interface AudioSink {
  /** The connection is gone before the end was sent. */
  readonly left: boolean;
  /** Some of what was sent has not been taken yet. */
  readonly behind: boolean;
  onLeave(tell: () => void): void;
  /** `taken` is called when the connection has taken the bytes, and never if it broke before. */
  send(bytes: Buffer, taken: () => void): void;
  end(): void;
  /** At once, whatever waits. */
  cut(): void;
  /** Without an end, after what waits was taken: so the head of the answer reaches its caller, however early it broke. */
  breakOff(): Promise<void>;
}

/** Who waits for a speech. */
export interface SpeechCaller {
  sink: AudioSink;
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

export interface SpeechDelivery {
  /**
   * Resolves when the caller has the whole answer and the task is settled. @throws GatewayError the task is refunded, or will
   * be; CallerLeftError; DatabaseUnavailableError, and then the reconciler ends the task.
   */
  done: Promise<void>;
  /** Ends the task with a refund, over its worker's head. */
  interrupt(reason: TaskFailureReason): Promise<void>;
}

/**
 * Carries the speech of a task from its worker to the caller who waits. A caller has the whole answer only of a task that is
 * settled. Where no worker can end the task any more it is ended here; the fence decides who was first.
 */
export function deliverSpeech(
  taskId: TaskId,
  { sink, timers: ofRequest }: SpeechCaller,
  deps: SpeechDeliveryDeps,
): SpeechDelivery {
  const { limits } = deps;
  const listening = deps.streams.listen(taskId);
  const firstByteBy = performance.now() + limits.firstByteMs;
  let phase: 'waiting' | 'speaking' | 'over' = 'waiting';
  /** Of the phase. */
  let timers = ofRequest.open();
  timers.after(limits.lookMs, () => void look());
  let interrupted: Promise<void> | undefined;
  sink.onLeave(() => listening.leave());
  if (sink.left) listening.leave();
  return { done: hear().catch(breakOff).finally(rest), interrupt };

  async function hear(): Promise<void> {
    for await (const event of listening) {
      switch (event.kind) {
        case 'claimed':
          break;
        case 'chunk':
          say(event.bytes);
          break;
        case 'settled':
          return sink.end();
        case 'failed':
          throw sink.left ? new CallerLeftError() : speechFailure(event.reason, event);
        case 'worker_lost':
          return endTask(event.fence, event.fence === 0 ? 'no_upstream' : 'outcome_unknown');
        case 'abandoned':
          return endTask(event.fence, 'caller_left');
        default:
          return event satisfies never;
      }
    }
    if (interrupted === undefined) throw new Error('the events of a speech ended without an end');
    return interrupted;
  }

  async function breakOff(error: unknown): Promise<never> {
    if (phase === 'speaking') await sink.breakOff();
    throw error;
  }

  function say(bytes: Buffer): void {
    if (phase === 'waiting') {
      phase = 'speaking';
      timers.close();
      timers = ofRequest.open();
      timers.after(limits.speakMs, takesTooLong);
    }
    sink.send(bytes, () => listening.acknowledge(bytes.length));
  }

  /** A task may end without a word to whoever listens: by its deadline, by an operator, by a worker that found nobody. */
  async function look(): Promise<void> {
    if (performance.now() > firstByteBy) return interrupt(listening.fence === 0 ? 'no_upstream' : 'timeout');
    const row = await deps.readTask(taskId).catch(() => undefined);
    if (phase !== 'waiting') return;
    if (row && isTerminal(row.status)) return interrupt('internal_error');
    if (row && listening.fence === 0) wakeAgain(row);
    timers.after(limits.lookMs, () => void look());
  }

  /** A caller who is behind is the one who took too long, and is treated as one who hung up. */
  function takesTooLong(): void {
    if (sink.behind && !sink.left) sink.cut();
    else void interrupt('timeout');
  }

  function interrupt(reason: TaskFailureReason): Promise<void> {
    interrupted ??= endTask('any', reason).finally(() => listening.close());
    // Its error is for whoever waits for `done`.
    return interrupted.catch(() => undefined);
  }

  async function endTask(fence: Finish['fence'], reason: TaskFailureReason): Promise<void> {
    const said = sink.left ? 'caller_left' : reason;
    const error = taskError(said);
    const { won, deliveryId } = await deps.finish({ taskId, fence, outcome: { kind: 'failed', error } });
    if (deliveryId !== undefined) wakeDelivery(deliveryId);
    const row = won ? undefined : await deps.readTask(taskId);
    // It is settled only once the caller has taken every byte, so nothing but the last word was lost.
    if (row?.status === 'completed') return sink.end();
    throw sink.left ? new CallerLeftError() : speechFailure(reasonIn(row) ?? said, messageIn(row));
  }

  /** A worker may have died between the wake-up and the claim, and the caller would wait until that is noticed elsewhere. */
  function wakeAgain({ family, fence }: TaskRow): void {
    deps.queues.enqueueTask({ family, taskId, fence, distinct: 'waiting' }).catch(wakeFailed);
  }

  /** Nobody waits for it: a callback that is not woken here is found by the reconciler. */
  function wakeDelivery(deliveryId: string): void {
    deps.queues.enqueueDelivery({ deliveryId, attemptsMade: 0 }).catch(wakeFailed);
  }

  function wakeFailed(error: unknown): void {
    deps.logger.warn('task.enqueue_failed', { taskId, error });
  }

  function rest(): void {
    phase = 'over';
    timers.close();
  }
}

/** Why somebody else has ended the task. */
function reasonIn(row: TaskRow | undefined): TaskFailureReason | undefined {
  const reason = row?.error?.['reason'];
  return isTaskFailureReason(reason) ? reason : undefined;
}

/** What the task's own record says, where somebody else has ended it. */
function messageIn(row: TaskRow | undefined): { message?: Message } {
  return row?.error ? { message: storedMessage(row.error) } : {};
}
