import type { Database, DueDeliveriesWanted, DueDelivery, DueDeliveryRow } from '@mediagate/database';

/**
 * - `pending`: waits for an attempt, or one is under way
 * - `delivered`: answered 2xx
 * - `rejected`: answered 3xx or 4xx
 * - `exhausted`: every attempt failed
 * - `dropped`: the URL breaks the rules and nothing was sent, or an operator ended it
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'rejected', 'exhausted', 'dropped'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const ENDED_STATES = ['delivered', 'rejected', 'exhausted', 'dropped'] as const satisfies DeliveryState[];

export type EndedState = (typeof ENDED_STATES)[number];

export interface DueDeliveries {
  deliveries: DueDelivery[];
  /** Where the next look goes on; empty: from the first account. */
  goesOnAfter: string;
}

/**
 * Deliveries that are due and not leased: their job was lost, or their process died. Accounts take
 * turns, so the thousands of one account never hide the few of another.
 *
 * @param wanted.overdueMs how long it must have been due, so that the normal path goes first
 */
export async function findDueDeliveries(database: Database, wanted: DueDeliveriesWanted): Promise<DueDeliveries> {
  const rows = await database.findDueDeliveries(wanted);
  return { deliveries: rows.filter(isDelivery), goesOnAfter: rows[0]?.goesOnAfter ?? '' };
}

function isDelivery(row: DueDeliveryRow): row is DueDeliveryRow & DueDelivery {
  return row.deliveryId !== null;
}
