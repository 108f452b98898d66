import { type DeliveryState, firstTaskIdAt, type JsonObject, type TaskId } from '@mediagate/contracts';
import type { ChangedRow, ChangeOutcome, ChangeRequest } from '@mediagate/database';
import type { Callbacks } from './callbacks';
import { ABOVE_ALL } from './listed-delivery';
import { REDELIVERIES_A_DAY } from './redeliver';

/** Selects the ended callbacks to send again. */
export interface RedeliveryFilter {
  accountId?: string | undefined;
  /** The key as in `Visibility`; absent: null. */
  ownKeyId?: string | null;
  /** Undefined only where `taskIds` are named. */
  state?: Exclude<DeliveryState, 'pending'> | undefined;
  taskIds?: readonly TaskId[] | undefined;
  /** When their tasks ended. */
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  /** Goes on behind this task. */
  before?: string | undefined;
  limit: number;
  /** Its account asks: those that were sent again `REDELIVERIES_A_DAY` times today are left out. */
  isOwn?: boolean;
}

/** Rows that one request looks at; then it ends short, and the next goes on. */
const SCAN_MAX_ROWS = 5_000;
/** The longest time from a task's submission to its callback: an hour, and for jobs that outlived a restore the time since the backup. */
const LONGEST_TASK_MS = 7 * 86_400_000;

/**
 * Redelivers the callbacks of the newest tasks first, each as `redeliver` does, by one statement with one entry in the audit log. All are
 * due at once; the reconciler enqueues them in turns of their accounts, and senders keep to their limits for hosts and accounts.
 */
export function redeliverMany(
  { database }: Pick<Callbacks, 'database'>,
  filter: RedeliveryFilter,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const { accountId = null, state = null, taskIds = null, createdFrom = null, createdBefore = null } = filter;
  const { before = ABOVE_ALL, limit, ownKeyId = null } = filter;
  // A callback is made after its task.
  const below = createdBefore === null ? [] : [firstTaskIdAt(createdBefore.getTime())];
  const wanted = {
    accountId,
    ownKeyId,
    state,
    taskIds,
    createdFrom,
    createdBefore,
    before: [before, ...below].sort()[0] ?? before,
    limit,
    dailyLimit: filter.isOwn === true ? REDELIVERIES_A_DAY : null,
    from: createdFrom === null ? '' : firstTaskIdAt(createdFrom.getTime() - LONGEST_TASK_MS),
    scanRows: SCAN_MAX_ROWS,
  };
  const noted = describeFilter(filter);
  if (taskIds !== null) return database.redeliverOfTasks(wanted, noted, request);
  if (state === null) throw new Error('a state or tasks must be named');
  if (accountId !== null) return database.redeliverOfAccount(wanted, noted, request);
  return state === 'delivered'
    ? database.redeliverDelivered(wanted, noted, request)
    : database.redeliverOfState(wanted, noted, request);
}

/** Describes the filter for the audit log. */
function describeFilter({
  accountId,
  state,
  taskIds,
  createdFrom,
  createdBefore,
  before,
}: RedeliveryFilter): JsonObject {
  const filter = {
    account_id: accountId,
    state,
    tasks: taskIds?.length,
    created_after: createdFrom?.toISOString(),
    created_before: createdBefore?.toISOString(),
    before,
  };
  return JSON.parse(JSON.stringify(filter)) as JsonObject;
}

export interface Redelivered {
  redelivered: number;
  /** The task behind which to go on; undefined: there are no others. */
  next: TaskId | undefined;
}

export function redeliveredOf({ after }: ChangedRow): Redelivered {
  return { redelivered: Number(after['redelivered']), next: (after['next'] ?? undefined) as TaskId | undefined };
}
