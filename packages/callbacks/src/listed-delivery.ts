import {
  type DeliveryState,
  exactSeconds,
  exactSecondsOrNull,
  type JsonObject,
  type TaskId,
} from '@mediagate/contracts';
import { type Database, type DeliverySearch, type Page, readPage } from '@mediagate/database';
import type { Callbacks } from './callbacks';

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
async function readListed(
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

/** Describes a delivery as operators see it. */
export function describeDelivery(delivery: ListedDelivery): JsonObject {
  const { id, taskId, accountId, url, state, reason } = delivery;
  return {
    id,
    task_id: taskId,
    account_id: accountId,
    url,
    state,
    reason,
    created: exactSeconds(delivery.createdAt),
    next_attempt_at: exactSecondsOrNull(delivery.nextAttemptAt),
    ended_at: exactSecondsOrNull(delivery.endedAt),
    attempts: delivery.attempts.map(({ number, startedAt, endedAt, httpStatus, error }) => ({
      number,
      started_at: exactSeconds(startedAt),
      ended_at: exactSecondsOrNull(endedAt),
      status: httpStatus,
      error,
    })),
  };
}

export interface DeliveryPageOptions {
  accountId?: string | undefined;
  state?: DeliveryState | undefined;
  /** The id of the task of the last delivery of the page before. */
  before?: string | undefined;
  limit: number;
}

/** Rows that a page looks at; then it ends short, and the next goes on. */
const SCAN_MAX_ROWS = 5_000;
/** Above every id of a task. */
export const ABOVE_ALL = `task_${'z'.repeat(26)}z`;

/** Deliveries of the newest tasks first, each with its attempts in order. */
export async function listDeliveries(
  { database }: Pick<Callbacks, 'database'>,
  wanted: DeliveryPageOptions,
): Promise<Page<ListedDelivery, TaskId>> {
  const { accountId = null, state = null, before = ABOVE_ALL } = wanted;
  const search = { before, scanRows: SCAN_MAX_ROWS, accountId, state };
  const { rows, next } = await readPage(wanted.limit, (limit) => byNarrowest(database, { ...search, limit }));
  return { rows: await readListed(database, { taskId: { in: rows.map(({ id }) => id) } }), next };
}

function byNarrowest(database: Database, search: DeliverySearch) {
  if (search.accountId !== null) return database.listDeliveriesOfAccount(search);
  if (search.state === null || search.state === 'delivered') return database.listDeliveries(search);
  return database.listUndelivered(search);
}
