import type { Statement } from '../../statement';
import { idBeforeMs } from '../tasks/after-ms';

export interface SummedRow {
  counted: bigint;
  /** Fewer were counted where one is still held. */
  looked_at: bigint;
}

/** Adds the next reservations to the sums of their days: of tasks that are older by the database's clock, `limit` at most. */
export const sumReservations: Statement<[olderThanMs: number, limit: number], SummedRow> = {
  text: `select counted, looked_at from sum_reservations('task_' || ${idBeforeMs('$1')}, $2)`,
  values: (olderThanMs, limit) => [olderThanMs, limit],
};
