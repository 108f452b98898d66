import type { JsonObject, Nano, TaskId } from '@mediagate/contracts';
import { type ClaimedRow, createBatcher, type Database, type EarlyTask, type NotYet } from '@mediagate/database';

/** Limits of the statements that write for many claims at once. */
export const MAX_BATCH_ITEMS = 64;
export const MAX_WAITING_ITEMS = 5000;

/** A task with all that a worker needs for its next step; it belongs to that worker until the lease ends. */
export interface ClaimedTask
  extends Omit<ClaimedRow, 'rates' | 'attemptId' | 'attemptState' | 'channelId' | 'destination' | 'upstreamOperation'> {
  rates: Record<string, Nano>;
  attempt: UnderWay | undefined;
}

/** The attempt of a task that a worker has begun. */
export interface UnderWay {
  id: string;
  state: 'starting' | 'accepted';
  channelId: string;
  /** Where it is asked about; null: wherever the channel leads. */
  destination: string | null;
  operation: JsonObject | null;
}

export type ClaimOutcome =
  | { kind: 'claimed'; task: ClaimedTask }
  /** Ended, leased to another worker, unknown, or awaiting a slot of its key in its row: the job that asked has nothing to do. */
  | { kind: 'not_claimable' }
  /** The job came before its time, by clocks that differ, or whoever lost the lease may still say what became of its call. */
  | ({ kind: 'early' } & Omit<EarlyTask, 'id'>);

type Claimed = (ClaimedRow & NotYet) | EarlyTask | undefined;

/** Claims one task; claims that come together share one statement. `leaseMs` must exceed the longest unrenewed step. */
export function createTaskClaimer(database: Database, leaseMs: number): (id: TaskId) => Promise<ClaimOutcome> {
  const claimTogether = createBatcher<TaskId, Claimed>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    tally: database.tally('claims'),
    run: (ids) => claimBatch(database, ids, leaseMs),
  });

  return async (id) => {
    const row = await claimTogether(id);
    if (!row) return { kind: 'not_claimable' };
    if ('waitMs' in row) return { kind: 'early', ...row };
    const { counted, leftForMs, ...columns } = row;
    const { fence, model, operation, accountId, attemptsMade } = row;
    if (leftForMs !== null)
      return { kind: 'early', fence, waitMs: leftForMs, model, operation, accountId, attemptsMade };
    if (!counted) return { kind: 'claimed', task: toClaimedTask(columns) };
    const [claimed] = await database.claimLimitedTask(id, leaseMs);
    return claimed ? { kind: 'claimed', task: toClaimedTask(claimed) } : { kind: 'not_claimable' };
  };
}

/**
 * One more statement tells of all that could not be claimed which of them came too early. Its failure is theirs alone: nobody else
 * would take the steps of those that were claimed before their leases end.
 */
async function claimBatch(
  database: Database,
  ids: readonly TaskId[],
  leaseMs: number,
): Promise<(Claimed | Promise<Claimed>)[]> {
  const claimed = new Map<TaskId, Claimed>((await database.claimTasks(ids, leaseMs)).map((row) => [row.id, row]));
  const refused = ids.filter((id) => !claimed.has(id));
  const early = refused.length > 0 ? byTask(database.findEarlyTasks(refused)) : undefined;
  // One batch at a time, both statements included.
  await Promise.allSettled([early]);
  return ids.map((id) => {
    if (!claimed.has(id)) return early?.then((rows) => rows.get(id));
    const row = claimed.get(id);
    // A task named twice in a batch was claimed once: only the first to ask has it.
    claimed.set(id, undefined);
    return row;
  });
}

async function byTask(rows: Promise<EarlyTask[]>): Promise<ReadonlyMap<TaskId, EarlyTask>> {
  return new Map((await rows).map((row) => [row.id, row]));
}

function toClaimedTask(columns: ClaimedRow): ClaimedTask {
  const { attemptId, attemptState, channelId, destination, upstreamOperation: operation, rates, ...row } = columns;
  const isUnderWay = attemptId !== null && attemptState !== null && channelId !== null;
  return {
    ...row,
    rates: Object.fromEntries(Object.entries(rates).map(([unit, nano]) => [unit, BigInt(nano)])),
    attempt: isUnderWay ? { id: attemptId, state: attemptState, channelId, destination, operation } : undefined,
  };
}
