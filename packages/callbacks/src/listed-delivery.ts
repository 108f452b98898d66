import type { TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Callbacks } from './callbacks';

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

export interface ListedDelivery {
  id: string;
  taskId: TaskId;
  accountId: string;
  url: string;
  state: DeliveryState;
  reason: string | null;
  attemptsMade: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  endedAt: Date | null;
  attempts: ListedAttempt[];
}

export interface ListedAttempt {
  number: number;
  startedAt: Date;
  /** Null: under way, or its outcome was lost. */
  endedAt: Date | null;
  httpStatus: number | null;
  error: string | null;
  /** For operators only, never for the account. */
  excerpt: string | null;
}

/** Deliveries as they are listed: those of the newest tasks first, each with its attempts in order. */
export async function readListed(
  database: Database,
  where: { id: string } | { taskId: string | { in: TaskId[] } },
): Promise<ListedDelivery[]> {
  const deliveries = await database.webhookDelivery.findMany({
    where,
    orderBy: { taskId: 'desc' },
    omit: { body: true, fence: true, leaseUntil: true, callerRedeliveredOn: true, callerRedeliveries: true },
  });
  const attempts = await attemptsOf(database, deliveries);
  return deliveries.map((delivery) => ({
    ...delivery,
    taskId: delivery.taskId as TaskId,
    state: delivery.state as DeliveryState,
    attempts: attempts.get(delivery.id) ?? [],
  }));
}

/** Attempts read for each delivery, on average: a delivery that is sent again and again can have any number. */
const MAX_ATTEMPTS = 100;

/** Read after their deliveries, so that no attempt is missing that a delivery counts; the oldest may be left out. */
async function attemptsOf(
  database: Database,
  deliveries: readonly { id: string }[],
): Promise<Map<string, ListedAttempt[]>> {
  const rows = await database.webhookAttempt.findMany({
    where: { deliveryId: { in: deliveries.map(({ id }) => id) } },
    orderBy: { number: 'desc' },
    take: MAX_ATTEMPTS * deliveries.length,
  });
  const attempts = new Map<string, ListedAttempt[]>();
  for (const { deliveryId, ...attempt } of rows.reverse()) {
    attempts.set(deliveryId, [...(attempts.get(deliveryId) ?? []), attempt]);
  }
  return attempts;
}

/** Finds a delivery by its id or that of its task, with its attempts in order. A task has one delivery at most. */
export async function findDelivery(
  { database }: Pick<Callbacks, 'database'>,
  named: { id: string } | { taskId: string },
): Promise<ListedDelivery | undefined> {
  const [found] = await readListed(database, named);
  return found;
}
