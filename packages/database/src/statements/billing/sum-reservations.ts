import type { Statement } from '../../statement';

export interface SummedRow {
  counted: bigint;
  /** Fewer were counted where one is still held. */
  looked_at: bigint;
}

/** Adds the next reservations to the sums of their days: of tasks before `beforeId`, `limit` at most. */
export const sumReservations: Statement<[beforeId: string, limit: number], SummedRow> = {
  text: 'select counted, looked_at from sum_reservations($1, $2)',
  values: (beforeId, limit) => [beforeId, limit],
};
