import type { Family, Nano, TaskFailureReason } from '@mediagate/contracts';
import type { FinishRow } from '@mediagate/database';
import { recordSpan } from '@mediagate/host';

/** A task that has ended, as it is measured. */
export interface FinishedTask {
  family: Family;
  model: string;
  /** The task belongs to a test key. */
  isTest: boolean;
  /** The channel that settled it, or was asked last; undefined: none was. */
  channelId: string | undefined;
  /** From its submission, by the database's clock. */
  seconds: number;
  /** Why it was refunded; absent: it was not. */
  reason?: TaskFailureReason;
  /** The amount that its account paid. */
  chargedNano: Nano;
  /** The vendor's charge; undefined: not known. */
  costNano: Nano | undefined;
  /** The amount used beyond the reservation. */
  overrunNano: Nano;
}

/** @param asked the reason of the end that was asked for; undefined: it was no refund. */
export function toFinishedTask(row: FinishRow, asked: TaskFailureReason | undefined): FinishedTask {
  const reason = reasonIn(row, asked);
  return {
    family: row.family,
    model: row.model,
    isTest: row.is_test,
    channelId: row.channel_id ?? undefined,
    seconds: row.seconds,
    chargedNano: row.settled_nano,
    costNano: row.cost_nano ?? undefined,
    overrunNano: row.overrun,
    ...(reason !== undefined && { reason }),
  };
}

/** Why the task was refunded; undefined: it was not, because its process had kept a settlement. */
function reasonIn({ status }: FinishRow, asked: TaskFailureReason | undefined): TaskFailureReason | undefined {
  return status === 'failed' ? asked : undefined;
}

/** The result of one end in a statement that several share. */
export interface SharedFinish {
  /** Undefined: this end is not the one that ended the task. */
  row: FinishRow | undefined;
  /** How many ends share the statement. */
  together: number;
}

interface EndTrace {
  /** The reason of the end that was asked for; undefined: it was no refund. */
  asked: TaskFailureReason | undefined;
  /** By `performance.now()`. */
  beganAt: number;
}

/** Makes the end of a task a span of the task's own trace, whoever ends it. */
export function traceEnd({ row, together }: SharedFinish, { asked, beganAt }: EndTrace): void {
  if (!row?.trace_context) return;
  const reason = reasonIn(row, asked);
  const { task_id: taskId, trace_context: traceContext, family, model, channel_id: channelId } = row;
  recordSpan(reason === undefined ? 'task.settle' : 'task.refund', {
    durationMs: performance.now() - beganAt,
    traceContext,
    attributes: () => ({
      'mediagate.task_id': taskId,
      'mediagate.family': family,
      'mediagate.model': model,
      'mediagate.batch.size': together,
      ...(channelId === null ? {} : { 'mediagate.channel': channelId }),
      ...(reason === undefined ? {} : { 'mediagate.reason': reason }),
    }),
  });
}
