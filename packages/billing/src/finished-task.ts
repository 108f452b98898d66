import type { Family, Nano, TaskFailureReason } from '@mediagate/contracts';
import type { FinishRow } from '@mediagate/database';

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
export function reasonIn({ status }: FinishRow, asked: TaskFailureReason | undefined): TaskFailureReason | undefined {
  return status === 'failed' ? asked : undefined;
}
