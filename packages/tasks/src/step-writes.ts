import {
  type Accepted,
  type AttemptBegin,
  type AttemptRefusal,
  type AttemptToBegin,
  type AttemptToWithdraw,
  type Claim,
  createRowBatcher,
  type Database,
  type LateOutcome,
  type LeaseToRenew,
  type LimitedChannel,
  type OperationToSave,
  type Postponed,
  type SlotAwaited,
  type StageWithdrawal,
  type TaskToPostpone,
  type Withdrawal,
} from '@mediagate/database';
import { MAX_BATCH_ITEMS, MAX_WAITING_ITEMS } from './claim-task';

/**
 * The writes of a worker between its claim and the end of a task. But for the outcome of an attempt that comes late, every statement
 * carries the fence and refuses a terminal task, and tells by its answer whether the claim still held: `false` means that this worker must stop, whatever it did.
 */
export function createStepWrites(database: Database) {
  const shared = sharedWrites(database);
  return { ...writesOfClaims(database, shared), ...writesOfAttempts(database, shared) };
}

export type StepWrites = ReturnType<typeof createStepWrites>;

type SharedWrites = ReturnType<typeof sharedWrites>;

const holds = async (rows: Promise<object[]>) => (await rows).length > 0;

function writesOfClaims(database: Database, { renew, postpone }: SharedWrites) {
  return {
    /** @param keptEnd how the task ends if this process is gone, made by `keepEnd`; absent: as it was kept before. */
    renewLease: async (task: Claim, leaseMs: number, keptEnd?: string) =>
      (await renew({ task, leaseMs, keptEnd })) !== undefined,
    /** Nothing was done of the step: whoever can takes it, after a pause. */
    returnClaim: (task: Claim, nextStepInMs: number) => holds(database.returnTaskClaim(task, nextStepInMs)),
    /** The task whose claim was given back is due, unless another worker has claimed it since. */
    recall: (task: Claim) => holds(database.recallTask(task)),
    /** A check that found the upstream still at work. */
    postpone: async (task: Claim, check: Postponed) => (await postpone({ ...check, task })) !== undefined,
    /** No channel has a slot: the task waits for its turn, and is due as soon as a slot is kept for it. */
    async awaitSlot(task: Claim, awaited: SlotAwaited) {
      const [row] = await database.awaitSlot(task, awaited);
      return row?.held === true;
    },
    /** The upstream will not stop: its caller's wish to cancel it is answered. */
    declineCancel: (task: Claim) => holds(database.declineCancel(task)),
  };
}

function writesOfAttempts(database: Database, { begin, save, withdraw }: SharedWrites) {
  return {
    /** Whether one of the channels has a slot for the task: some work is not worth doing before. Nothing is written. */
    hasSlot: (task: Claim, channels: readonly LimitedChannel[]) => holds(database.findChannelWithSlot(task, channels)),
    /** Before the paid call. `at_capacity`: the channel has no slot for it, over all processes; nothing was written. */
    async beginAttempt(
      task: Claim,
      { maxConcurrency, ...attempt }: AttemptBegin,
    ): Promise<'begun' | 'at_capacity' | 'lost'> {
      if (maxConcurrency === undefined) return (await begin({ ...attempt, task })) ? 'begun' : 'lost';
      const [row] = await database.beginLimitedAttempt({ ...attempt, task }, maxConcurrency);
      return row?.outcome ?? 'lost';
    },
    /**
     * The intent that was written, or may still be, was not sent: the task is due as if it had never been, whoever holds it. Answers its
     * next fence; undefined: it has ended, or goes on without this attempt. May be asked again after a lost answer.
     */
    withdrawAttempt: async (task: Claim, withdrawal: Withdrawal) => (await withdraw({ ...withdrawal, task }))?.fence,
    /** Straight after the upstream accepted: from here on the job is only ever checked. Failed steps count anew. */
    saveOperation: async (task: Claim, accepted: Accepted) => (await save({ ...accepted, task })) !== undefined,
    /**
     * The intent of the next stage of an accepted job, before its paid call: until `saveOperation` or `withdrawStage` nobody
     * knows whether the upstream took it, as of an attempt that is `starting`.
     */
    beginStage: (task: Claim, attemptId: string) => holds(database.beginStage(task, attemptId)),
    /** The next stage was turned away for certain: the job stands where its first stage left it, and is checked again. */
    withdrawStage: (task: Claim, withdrawal: StageWithdrawal) => holds(database.withdrawStage(task, withdrawal)),
    /** The attempt ended without a result and the task goes on: another channel, or the same ones later. */
    giveUpAttempt: (task: Claim, refusal: AttemptRefusal) => holds(database.giveUpAttempt(task, refusal)),
    /** Keeps for the books what became known of an attempt after it was put down as unknown; changes nothing else. */
    async recordLateOutcome(attemptId: string, late: LateOutcome) {
      await database.recordLateOutcome(attemptId, late);
    },
  };
}

/** The writes of most steps. */
function sharedWrites(database: Database) {
  const share = sharing(database);
  const attemptOf = ({ attemptId }: { attemptId: string }) => attemptId;
  const idOf = ({ id }: { id: string }) => id;
  const claimId = ({ id, fence }: Claim) => `${id} ${fence}`;
  return {
    renew: share('renewals', (items: LeaseToRenew[]) => database.renewTaskLeases(items), {
      itemId: ({ task }) => claimId(task),
      rowId: claimId,
    }),
    begin: share('attempts', (items: AttemptToBegin[]) => database.beginAttempts(items), {
      itemId: attemptOf,
      rowId: idOf,
    }),
    save: share('operations', (items: OperationToSave[]) => database.saveOperations(items), {
      itemId: attemptOf,
      rowId: idOf,
    }),
    withdraw: share('withdrawals', (items: AttemptToWithdraw[]) => database.withdrawAttempts(items), {
      itemId: attemptOf,
      rowId: attemptOf,
    }),
    postpone: share('postponements', (items: TaskToPostpone[]) => database.postponeTasks(items), {
      itemId: ({ task }) => task.id,
      rowId: idOf,
    }),
  };
}

/** Writes that come together share one statement. Each answers its row; undefined: its claim no longer held. */
function sharing(database: Database) {
  return <Item, Row>(
    name: Parameters<Database['tally']>[0],
    rowsFor: (items: Item[]) => Promise<Row[]>,
    ids: { itemId: (item: Item) => string; rowId: (row: Row) => string },
  ) => {
    const tally = database.tally(name);
    return createRowBatcher({ maxItems: MAX_BATCH_ITEMS, maxWaiting: MAX_WAITING_ITEMS, tally, rowsFor, ...ids });
  };
}
