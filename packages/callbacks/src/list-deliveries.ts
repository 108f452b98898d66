import type { TaskId } from '@mediagate/contracts';
import { type Database, type DeliverySearch, type Page, readPage } from '@mediagate/database';
import type { Callbacks } from './callbacks';
import { type DeliveryState, type ListedDelivery, readListed } from './listed-delivery';

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
