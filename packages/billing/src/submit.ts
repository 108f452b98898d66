import type { TaskId } from '@mediagate/contracts';
import { createBatcher, type Database, DatabaseUnavailableError, retrySafely } from '@mediagate/database';
import type { Submission, SubmitOutcome } from './submission';
import { SUBMIT } from './submit-statement';

const MAX_BATCH_ITEMS = 64;
const MAX_WAITING_ITEMS = 5000;
/** Rounds in company; after them a submission goes alone, and alone it is decided. */
const MAX_SHARED_ROUNDS = 8;
const MAX_ROUNDS = 12;
const IDEMPOTENCY_LIFE_SECONDS = 24 * 60 * 60;

type Decided = SubmitOutcome | { kind: 'undecided' };

interface DecisionRow {
  decision:
    | 'accepted'
    | 'replayed'
    | 'conflict'
    | 'insufficient_account'
    | 'insufficient_key'
    | 'key_unknown'
    | 'undecided';
  earlier_task_id: TaskId | null;
  earlier_warnings: string[] | null;
}

/**
 * The way into the books. A submission either is refused and leaves no trace, or its task, reservation, debit of account
 * and key, ledger entry and idempotency row exist together, durably, when the promise resolves.
 *
 * @throws DatabaseUnavailableError when the database did not answer; the submission may be sent again under its task id.
 */
export function createSubmitter(database: Database): (submission: Submission) => Promise<SubmitOutcome> {
  const submitAll = (items: Submission[]) => retrySafely(() => runSubmit(database, items));
  const submitTogether = createBatcher({ maxItems: MAX_BATCH_ITEMS, maxWaiting: MAX_WAITING_ITEMS, run: submitAll });

  return async (submission) => {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const decided =
        round <= MAX_SHARED_ROUNDS ? await submitTogether(submission) : ((await submitAll([submission]))[0] as Decided);
      if (decided.kind !== 'undecided') return decided;
    }
    throw new DatabaseUnavailableError(new Error(`undecided after ${MAX_ROUNDS} rounds`));
  };
}

async function runSubmit(database: Database, items: Submission[]): Promise<Decided[]> {
  const rows = await database.query<DecisionRow>(SUBMIT, [
    items.map((item) => item.taskId),
    items.map((item) => item.accountId),
    items.map((item) => item.keyId),
    items.map((item) => item.reservedNano),
    items.map((item) => item.idempotency?.key ?? null),
    items.map((item) => item.idempotency?.requestHash ?? null),
    items.map(taskFields),
    IDEMPOTENCY_LIFE_SECONDS,
  ]);
  return rows.map(toDecided);
}

/** The columns that the statement only carries through; nano-units travel as texts because JSON numbers are floats. */
function taskFields(item: Submission): string {
  const { family, kind, model, operation, input, catalogueVersion, warnings, requestId, deadlineMs } = item;
  const { webhook, language, parentTaskId } = item;
  const rates = Object.fromEntries(Object.entries(item.rates).map(([unit, nano]) => [unit, nano.toString()]));
  return JSON.stringify({
    ...{ family, kind, model, operation, input, rates, catalogueVersion, warnings, requestId, deadlineMs },
    ...{ webhook, language, parentTaskId },
  });
}

function toDecided(row: DecisionRow): Decided {
  switch (row.decision) {
    case 'accepted':
    case 'conflict':
    case 'key_unknown':
    case 'undecided':
      return { kind: row.decision };
    case 'insufficient_account':
      return { kind: 'insufficient', of: 'account' };
    case 'insufficient_key':
      return { kind: 'insufficient', of: 'key' };
    case 'replayed':
      return { kind: 'replayed', taskId: row.earlier_task_id as TaskId, warnings: row.earlier_warnings ?? [] };
    default:
      return row.decision satisfies never;
  }
}
