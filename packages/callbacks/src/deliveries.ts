import type {
  ClaimedDelivery,
  Database,
  DeliveryClaim,
  DeliveryEnd,
  DueDeliveriesWanted,
  DueDelivery,
  DueDeliveryRow,
  DueForAttempt,
} from '@mediagate/database';
import { toDueForAttempt } from '@mediagate/database';

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

/** Longer than anything between a claim and the start of its attempt. */
const CLAIM_LEASE_MS = 30_000;

/**
 * Takes a due delivery for this process. Undefined: it has ended, is not due yet, or is leased by another process. Of any
 * number of callers at once, one gets it.
 */
export async function claimDelivery(database: Database, deliveryId: string): Promise<ClaimedDelivery | undefined> {
  const [claimed] = await claimDeliveries(database, [deliveryId]);
  return claimed;
}

/** Takes those of the deliveries that can be had, each once however often it is named, in no particular order. */
export async function claimDeliveries(database: Database, deliveryIds: readonly string[]): Promise<ClaimedDelivery[]> {
  return await database.claimDeliveries(deliveryIds, CLAIM_LEASE_MS);
}

/** Those that could be claimed now, as they are, with what a first body is made of; by their ids. */
export async function readDeliveries(
  database: Database,
  deliveryIds: readonly string[],
): Promise<Map<string, DueForAttempt>> {
  const rows = await database.readDeliveriesToAttempt(deliveryIds);
  return new Map(rows.map((row) => [row.deliveryId, toDueForAttempt(row)]));
}

/** Ends a claimed delivery without a request. False: the claim was no longer ours, nothing changed. */
export async function endDelivery(database: Database, claim: DeliveryClaim, end: DeliveryEnd): Promise<boolean> {
  const rows = await database.endDelivery(claim, end);
  return rows.length === 1;
}

/** Gives claims back, so that others need not wait for the leases to end. */
export async function releaseDeliveries(database: Database, claims: readonly DeliveryClaim[]): Promise<void> {
  if (claims.length === 0) return;
  await database.releaseDeliveries(claims);
}

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
