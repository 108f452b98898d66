import type { TaskId } from '@mediagate/contracts';
import type { Database, DeliverySearch } from '@mediagate/database';
import type { Callbacks } from './callbacks';
import type { DeliveryState } from './delivery-states';
import { type ListedDelivery, readListed } from './listed-delivery';

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
export async function listDeliveries(
  { database }: Pick<Callbacks, 'database'>,
  wanted: DeliveryPageOptions,
): Promise<DeliveryPage> {
  const { accountId = null, state = null, before = ABOVE_ALL, limit } = wanted;
  // One more tells whether there are more.
  const search = { before, scanRows: SCAN_MAX_ROWS, limit: limit + 1, accountId, state };
  const found = await byNarrowest(database, search);
  const taskIds = found.flatMap(({ taskId }) => taskId ?? []);
  const shown = taskIds.slice(0, limit);
  return {
    deliveries: await readListed(database, { taskId: { in: shown } }),
    next: taskIds.length > limit ? shown.at(-1) : (found[0]?.lookedUntil ?? undefined),
  };
}

function byNarrowest(database: Database, search: DeliverySearch) {
  if (search.accountId !== null) return database.listDeliveriesOfAccount(search);
  if (search.state === null || search.state === 'delivered') return database.listDeliveries(search);
  return database.listUndelivered(search);
}
