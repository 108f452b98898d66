import type { JsonObject, Nano, TaskId } from '@mediagate/contracts';
import type { ClaimedRow, Database, EarlyTask } from '@mediagate/database';

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

/** Claims one task. `leaseMs` must exceed the longest unrenewed step. */
export async function claimTask(
  database: Pick<Database, 'claimTask' | 'findEarlyTask' | 'claimLimitedTask'>,
  id: TaskId,
  leaseMs: number,
): Promise<ClaimOutcome> {
  const row = await database.claimTask(id, leaseMs);
  if (!row) {
    const early = await database.findEarlyTask(id);
    return early ? { kind: 'early', ...early } : { kind: 'not_claimable' };
  }
  const { counted, leftForMs, ...columns } = row;
  const { fence, model, operation, accountId, attemptsMade } = row;
  if (leftForMs !== null) return { kind: 'early', fence, waitMs: leftForMs, model, operation, accountId, attemptsMade };
  if (!counted) return { kind: 'claimed', task: toClaimedTask(columns) };
  const [claimed] = await database.claimLimitedTask(id, leaseMs);
  return claimed ? { kind: 'claimed', task: toClaimedTask(claimed) } : { kind: 'not_claimable' };
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
