import { Slots } from '@mediagate/concurrency';
import { GatewayError } from '@mediagate/contracts';
import {
  createBatcher,
  type Database,
  DatabaseBusyError,
  DatabaseConflictError,
  type EarlierRow,
  type KeyedRequest,
  retrySafely,
} from '@mediagate/database';
import { annotate } from '@mediagate/host';
import { type Decided, readWarning, type Submission, type SubmitOutcome, taskFields, toDecided } from './submission';

const MAX_BATCH_ITEMS = 64;
const MAX_WAITING_ITEMS = 5000;
/** Rounds in company; after them a submission goes alone, and alone it is decided. */
const MAX_SHARED_ROUNDS = 8;
const MAX_LONE_ROUNDS = 4;
/**
 * Submissions that go alone at once, each on a connection for as long as somebody holds its account's row: one of an account, so that the
 * next account finds one. More wait, for `LONE_WAIT_MS` at most. Those that wait longer, or beyond `maxWaiting`, are refused as busy.
 */
const LONE_SLOTS = { capacity: 2, perOwner: 1, maxWaiting: 256, maxWaitingPerOwner: 4 };
const IDEMPOTENCY_LIFE_SECONDS = 24 * 60 * 60;
/** A row is held for the length of a commit. Whoever holds one longer must not hold up the others of a batch. */
const SHARED_LOCK_WAIT_MS = 250;
const LONE_LOCK_WAIT_MS = 2000;
const LONE_WAIT_MS = 5000;

type Write = Database['submitTasks'];

interface Shared {
  decided: Decided;
  /** Submissions of the statement. */
  together: number;
}

/**
 * The way into the books. A submission either is refused and leaves no trace, or its task, reservation, debit of account
 * and key, ledger entry and idempotency row exist together when the promise resolves; durably, unless its submitter runs it, who
 * finds out as it ends whether a crash of the database has taken it along. An idempotency key is kept durably in any case: its caller may
 * send it again after the crash and before that end.
 *
 * @throws DatabaseUnavailableError when the database did not answer; the submission may be sent again under its task id.
 * DatabaseBusyError, DatabaseConflictError: nothing was written.
 */
export function createSubmitter(database: Database): (submission: Submission) => Promise<SubmitOutcome> {
  const submit = createWay(database, database.submitTasks);
  // Nothing else shares their statement, which does not wait for the disk.
  const hold = createWay(database, database.holdTasks);
  return (submission) => {
    const { runsHere, idempotency } = submission;
    return (runsHere && idempotency === undefined ? hold : submit)(submission);
  };
}

function createWay(database: Database, write: Write): (submission: Submission) => Promise<SubmitOutcome> {
  const submitTogether = createBatcher<Submission, Shared>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    tally: database.tally('submissions'),
    rowOf: ({ accountId }) => accountId,
    run: (items) => retrySafely(() => runSubmit(write, items, SHARED_LOCK_WAIT_MS), { conflictRetries: 0 }),
  });
  const submitAlone = createLoneSubmitter(database, write);

  return async (submission) => {
    const shared = await decideTogether(submission);
    if (shared !== undefined) return shared;
    const signal = AbortSignal.timeout(LONE_WAIT_MS);
    for (let round = 1; round <= MAX_LONE_ROUNDS; round += 1) {
      const decided = await submitAlone(submission, signal);
      if (decided.kind !== 'undecided') return decided;
    }
    throw new DatabaseBusyError(new Error(`undecided after ${MAX_LONE_ROUNDS} rounds alone`));
  };

  /** Undefined: company cannot decide it, because its account's row is held or its money always goes to an earlier one. */
  async function decideTogether(submission: Submission): Promise<SubmitOutcome | undefined> {
    try {
      for (let round = 1; round <= MAX_SHARED_ROUNDS; round += 1) {
        const { decided, together } = await submitTogether(submission);
        annotate(() => ({ 'mediagate.batch.size': together, 'mediagate.batch.rounds': round }));
        if (decided.kind !== 'undecided') return decided;
      }
    } catch (error) {
      if (!(error instanceof DatabaseConflictError)) throw error;
    }
    return undefined;
  }
}

/** The signal ends the wait for a turn. A turn lasts as long as the row is waited for, twice `LONE_LOCK_WAIT_MS` at most. */
type SubmitAlone = (submission: Submission, signal: AbortSignal) => Promise<Decided>;

function createLoneSubmitter(database: Database, write: Write): SubmitAlone {
  const slots = new Slots(LONE_SLOTS);
  const tally = database.tally('lone_submissions');
  const turnOf = async (owner: Submission, signal: AbortSignal) => {
    tally.waiting += 1;
    return slots.take({ owner }, signal).finally(() => {
      tally.waiting -= 1;
    });
  };
  return async (submission, signal) => {
    const { release } = await turnOf(submission, signal).catch((cause: unknown) => {
      throw signal.aborted || cause instanceof GatewayError ? new DatabaseBusyError(cause) : cause;
    });
    tally.batches += 1;
    tally.items += 1;
    try {
      const work = () => runSubmit(write, [submission], LONE_LOCK_WAIT_MS);
      const [shared] = await retrySafely(work, { conflictRetries: 1 });
      return shared?.decided ?? { kind: 'undecided' };
    } finally {
      release();
    }
  };
}

async function runSubmit(write: Write, items: Submission[], lockWaitMs: number): Promise<Shared[]> {
  const rows = await write(items, items.map(taskFields), {
    idempotencySeconds: IDEMPOTENCY_LIFE_SECONDS,
    lockWaitMs,
  });
  return rows.map((row, index) => ({ decided: toDecided(row, items[index]), together: rows.length }));
}

export type EarlierSubmission = Extract<SubmitOutcome, { kind: 'replayed' | 'conflict' }>;

const MAX_TOGETHER = 256;
const MAX_WAITING = 5000;

/**
 * Looks up what the same key was used for before, within its 24 hours, which spares the work of a repetition. Undefined is no promise,
 * because the same request may be on its way; the submission itself decides. Simultaneous look-ups share a statement.
 *
 * @throws DatabaseUnavailableError also when too many wait.
 */
export function createEarlierFinder(
  database: Pick<Database, 'findEarlierSubmissions'>,
): (request: KeyedRequest) => Promise<EarlierSubmission | undefined> {
  return createBatcher({
    maxItems: MAX_TOGETHER,
    maxWaiting: MAX_WAITING,
    run: async (requests: KeyedRequest[]) => (await database.findEarlierSubmissions(requests)).map(toEarlier),
  });
}

function toEarlier({ taskId, sameRequest, warnings }: EarlierRow): EarlierSubmission | undefined {
  if (taskId === null) return undefined;
  return sameRequest ? { kind: 'replayed', taskId, warnings: (warnings ?? []).map(readWarning) } : { kind: 'conflict' };
}
