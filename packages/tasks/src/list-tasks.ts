import { firstTaskIdAt, isTerminal, type TaskId } from '@mediagate/contracts';
import {
  type Database,
  type Page,
  readPage,
  type Scanned,
  type TaskFilters,
  type TaskListing,
  type TaskRow,
  type Visibility,
} from '@mediagate/database';

export interface TaskQuery extends Partial<TaskFilters>, Visibility {
  idempotencyKey?: string | undefined;
  /** The place of the page before. */
  before?: string | undefined;
  limit: number;
}

type ListedRow = Scanned<TaskRow>;

/** Rows that a page looks at for those that all filters want; then it ends short, and the next goes on. */
const SCAN_MAX_ROWS = 5000;
/** Rows that a page looks at in each range, where a family is searched model by model. */
const SCAN_MAX_ROWS_OF_RANGE = 2000;
/** By how much the clock that makes ids may differ from the database's, which tells when a task was created. */
const CLOCKS_DIFFER_MS = 10_000;
const BELOW_ALL = firstTaskIdAt(0);
const ABOVE_ALL = `task_${'z'.repeat(26)}`;

/**
 * Tasks that the caller sees, the newest first. The index of the narrowest filter finds them, and the others are checked on what it
 * brings, so that each page is a short scan however many tasks there are.
 */
export function listTasks(database: Database, query: TaskQuery): Promise<Page<TaskRow, TaskId>> {
  const filters = filtersOf(query);
  const listing = {
    accountId: query.accountId,
    ownKeyId: query.ownKeyId,
    before: lowest(query.before ?? ABOVE_ALL, filters.createdBefore),
    from: filters.createdFrom ? idAround(filters.createdFrom, -CLOCKS_DIFFER_MS) : BELOW_ALL,
    filters,
  };
  const scanRowsBy = query.ownKeyId === null ? scanRowsOf : scanRowsOfKeys;
  return readPage(query.limit, (limit) =>
    listByNarrowest(database, { ...listing, limit, scanRows: scanRowsBy(filters, limit) }, query.idempotencyKey),
  );
}

function filtersOf(query: TaskQuery): TaskFilters {
  return {
    status: query.status ?? null,
    family: query.family ?? null,
    model: query.model ?? null,
    createdFrom: query.createdFrom ?? null,
    createdBefore: query.createdBefore ?? null,
    metadata: query.metadata ?? null,
    parentTaskId: query.parentTaskId ?? null,
    callbackStates: query.callbackStates ?? null,
  };
}

function lowest(before: string, createdBefore: Date | null): string {
  const bound = createdBefore ? idAround(createdBefore, CLOCKS_DIFFER_MS) : ABOVE_ALL;
  return bound < before ? bound : before;
}

function idAround(time: Date, ms: number): TaskId {
  return firstTaskIdAt(Math.max(0, time.getTime() + ms));
}

/** Where a single filter has an index of its own, every row of the index is wanted. */
function scanRowsOf(filters: TaskFilters, limit: number): number {
  const count = Object.values(filters).filter((filter) => filter !== null).length;
  const { family, model, callbackStates, metadata } = filters;
  const isExact = (family ?? model ?? callbackStates) !== null || Object.keys(metadata ?? {}).length === 1;
  if (count <= 1 && isExact) return limit;
  return family === null ? SCAN_MAX_ROWS : SCAN_MAX_ROWS_OF_RANGE;
}

/** Whatever is asked for beside the keys is checked on what their index brings. */
function scanRowsOfKeys(filters: TaskFilters, limit: number): number {
  return Object.values(filters).some((filter) => filter !== null) ? SCAN_MAX_ROWS : limit;
}

/** From the narrowest filter to the widest. */
function listByNarrowest(
  database: Database,
  listing: TaskListing,
  idempotencyKey: string | undefined,
): Promise<ListedRow[]> {
  const { metadata, status, ...filters } = listing.filters;
  const [label] = Object.entries(metadata ?? {});
  if (idempotencyKey !== undefined) return database.listTasksByIdempotencyKey(listing, idempotencyKey);
  if (filters.parentTaskId !== null) return database.listTasksOfParent(listing);
  if (listing.ownKeyId !== null) return database.listTasksOfKeys(listing);
  if (label !== undefined) return database.listTasksByLabel(listing, label[0], String(label[1]));
  if (status === 'failed') return database.listFailedTasks(listing);
  if (status !== null && !isTerminal(status)) return database.listOpenTasks(listing);
  if (filters.callbackStates?.includes('pending')) {
    return listWithOpen(database, listing, () => database.listTasksByCallback(listing));
  }
  if (filters.callbackStates !== null) return database.listTasksByCallback(listing);
  if (filters.model === null && filters.family === null) return database.listTasks(listing);
  const listEnded = () =>
    filters.model === null ? database.listTasksOfFamily(listing) : database.listTasksOfModel(listing);
  return status === 'completed' ? listEnded() : listWithOpen(database, listing, listEnded);
}

/**
 * Adds open tasks to those of an index that has ended ones alone: a task that runs has no row of a callback yet, and stands in no index
 * of models. Open tasks are read first: one that ends meanwhile is then found by both, not by none.
 */
async function listWithOpen(
  database: Database,
  listing: TaskListing,
  listEnded: () => Promise<ListedRow[]>,
): Promise<ListedRow[]> {
  const running = await database.listOpenTasks({ ...listing, scanRows: SCAN_MAX_ROWS });
  const ended = await listEnded();
  const [lookedUntil = null] = [running, ended]
    .flatMap(([first]) => first?.lookedUntil ?? [])
    .sort()
    .reverse();
  const byId = new Map([...running, ...ended].map((row) => [row.id, row]));
  const rows = [...byId.values()].filter(({ id }) => id !== null && id >= (lookedUntil ?? BELOW_ALL));
  if (rows.length === 0) return ended.slice(0, 1).map((row) => ({ ...row, id: null, lookedUntil }));
  return rows.sort(byIdDescending).map((row) => ({ ...row, lookedUntil }));
}

const byIdDescending = (one: ListedRow, other: ListedRow) => (String(one.id) < String(other.id) ? 1 : -1);
