import type { Family, Nano, TaskFailureReason } from '@mediagate/contracts';
import type { FinishRow } from '@mediagate/database';

/** A task that has ended, as it is measured. */
export interface EndedTask {
  family: Family;
  model: string;
  /** Of a test key. */
  isTest: boolean;
  /** That settled it, or was asked last; undefined: none was. */
  channelId: string | undefined;
  /** From its submission, by the database's clock. */
  seconds: number;
  /** Of a refund. */
  reason?: TaskFailureReason;
  /** What its account paid. */
  chargedNano: Nano;
  /** What its vendor charges; undefined: not known. */
  costNano: Nano | undefined;
  /** What was used beyond the reservation. */
  overrunNano: Nano;
}

/** @param reason of a refund. */
export function toEnded(row: FinishRow, reason: TaskFailureReason | undefined): EndedTask {
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
