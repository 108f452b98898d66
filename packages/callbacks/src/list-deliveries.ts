import type { TaskId } from '@mediagate/contracts';
import type { Database, DeliverySearch } from '@mediagate/database';
import type { DeliveryState } from './deliveries';

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

/** One that is named, with its attempts in order. */
export async function findDelivery(
  database: Database,
  named: { id: string } | { taskId: string },
): Promise<ListedDelivery | undefined> {
  const [found] = await readDeliveries(database, named);
  return found;
}

export interface DeliveryPageOptions {
  accountId?: string | undefined;
  state?: DeliveryState | undefined;
  /** The id of the task of the last delivery of the page before. */
  before?: string | undefined;
  limit: number;
}

export interface DeliveryPage {
  deliveries: ListedDelivery[];
  /** Where the next page begins; undefined: this is the last. */
  next: TaskId | undefined;
}

/** Rows that a page looks at; then it ends short, and the next goes on. */
const SCAN_MAX_ROWS = 5_000;
/** Above every id of a task. */
export const ABOVE_ALL = `task_${'z'.repeat(26)}z`;

/** Deliveries of the newest tasks first, each with its attempts in order. */
export async function listDeliveries(database: Database, wanted: DeliveryPageOptions): Promise<DeliveryPage> {
  const { accountId = null, state = null, before = ABOVE_ALL, limit } = wanted;
  // One more tells whether there are more.
  const search = { before, scanRows: SCAN_MAX_ROWS, limit: limit + 1, accountId, state };
  const found = await byNarrowest(database, search);
  const taskIds = found.flatMap(({ taskId }) => taskId ?? []);
  const shown = taskIds.slice(0, limit);
  return {
    deliveries: await readDeliveries(database, { taskId: { in: shown } }),
    next: taskIds.length > limit ? shown.at(-1) : (found[0]?.lookedUntil ?? undefined),
  };
}

function byNarrowest(database: Database, search: DeliverySearch) {
  if (search.accountId !== null) return database.listDeliveriesOfAccount(search);
  if (search.state === null || search.state === 'delivered') return database.listDeliveries(search);
  return database.listUndelivered(search);
}

async function readDeliveries(
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

/** Of each delivery, on average: one that is sent again and again has any number. */
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
