import type { TaskFailureReason } from '@mediagate/contracts';
import type { FinishRow } from '@mediagate/database';
import { recordSpan } from '@mediagate/host';
import { reasonIn } from './finished-task';

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
