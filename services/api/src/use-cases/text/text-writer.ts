import type { TaskId } from '@mediagate/contracts';
import type { StopReason } from '@mediagate/database';
import type { TextAnswer } from '@mediagate/upstreams';
import type { CallerWatch } from '../caller-connection';
import type { TokenMeter } from './token-meter';

/** Puts the answer to a text before its caller, in whatever frame was asked for. */
export interface TextWriter {
  /** The head of the answer is on its way: no error can be reported in its place any more. */
  readonly begun: boolean;
  /** Whatever is answered from here on names the task, and an answer that is no error the model that makes it. */
  nameTask(taskId: TaskId, model?: string): void;
  /** Watches the caller from the question to the end of its answer. */
  watch(limits: TextLimits): CallerWatch;
  /** Ends what `watch` watches, as if the caller had left, but for its reason. */
  stop(why: StopReason): void;
  /** Shows the meter each piece. Resolves when all of the answer is on its way; throws whatever broke it. */
  send(answer: TextAnswer, meter: TokenMeter): Promise<void>;
  /** Resolves when the connection has taken what was sent, or has broken. */
  flushed(): Promise<void>;
}

export interface TextLimits {
  /** Longest time without a byte in either direction. */
  idleMs: number;
  /** Longest time from the question to the last byte of its answer. */
  totalMs: number;
}
