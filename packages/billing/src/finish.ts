import { inEnglish, type Message, message, messageOf, type TaskFailureReason, type TaskId } from '@mediagate/contracts';
import {
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  createBatcher,
  type Database,
  DatabaseConflictError,
  DatabaseUnavailableError,
  type FinishRow,
  type FoundFinishRow,
  noteOf,
  retrySafely,
} from '@mediagate/database';
import { AccountBatchers } from './account-batchers';
import {
  DoubtfulEnds,
  type FinishOutcome,
  type FinishRequest,
  type NamedFinish,
  newDeliveryId,
  type TaskError,
  toFinish,
  toFinished,
} from './finish-request';
import { type FinishedTask, type SharedFinish, toFinishedTask, traceEnd } from './finished-task';

const MAX_BATCH_ITEMS = 64;
const MAX_WAITING_ITEMS = 5000;
/** A row is held for the length of a commit. An account's row that is held for longer delays no end of another account. */
const LOCK_WAIT_MS = 250;
/** For statements with ends of one account alone. */
const PATIENT_LOCK_WAIT_MS = 1000;
/** A row that is held is waited for apart from the ends of other accounts. */
const CONFLICTS_PASS = { conflictRetries: 0 };

export interface FinisherOptions {
  /** Called for each task that was ended here. */
  onEnded?: ((ended: FinishedTask) => void) | undefined;
}

/** Without a message of its own a failure has the one of its reason. `param`: the field that is to blame. */
export function taskError(
  reason: TaskFailureReason,
  { message = messageOf(reason), param = '' }: { message?: Message | undefined; param?: string | undefined } = {},
): TaskError {
  return { message: inEnglish(message), type: 'task_failed', param, code: 'task_failed', reason, template: message };
}

/** Why a task failed that was cancelled because its account asked for it. */
export const CANCELLED_BY_CALLER: Message = message('cancelled_by_caller');

/** Ends a task at its account's request, with a refund, unless an upstream was asked for it. */
export function cancelUnpaid(
  finish: (finish: FinishRequest) => Promise<FinishOutcome>,
  task: Pick<FinishRequest, 'taskId' | 'accountId'>,
): Promise<FinishOutcome> {
  const error = taskError('cancelled', { message: CANCELLED_BY_CALLER });
  return finish({ ...task, fence: 'any', onlyUnpaid: true, outcome: { kind: 'failed', error } });
}

/**
 * The one way to end a task. Exactly one caller wins, however many try, however often; for the winner the terminal state,
 * the settlement or refund and the callback's row are committed together.
 *
 * @throws DatabaseUnavailableError when the database did not answer; calling again is safe.
 */
export function createFinisher(
  database: Database,
  { onEnded }: FinisherOptions = {},
): (finish: FinishRequest) => Promise<FinishOutcome> {
  const finisher = new Finisher(database, onEnded);
  return (finish) => finisher.finish(finish);
}

/** Ends tasks together by one statement; where an account's row is held, the ends of that account have one of their own. */
class Finisher {
  readonly #database: Database;
  readonly #onEnded: FinisherOptions['onEnded'];
  readonly #doubtful = new DoubtfulEnds();
  readonly #finishTogether: (finish: NamedFinish) => Promise<SharedFinish>;
  readonly #ofAccounts: AccountBatchers<NamedFinish, SharedFinish>;

  constructor(database: Database, onEnded: FinisherOptions['onEnded']) {
    this.#database = database;
    this.#onEnded = onEnded;
    const tally = database.tally('ends');
    const run = (lockWaitMs: number) => (items: NamedFinish[]) =>
      inRounds(items, (round) => this.#finishRound(round, lockWaitMs));
    this.#finishTogether = createBatcher({
      maxItems: MAX_BATCH_ITEMS,
      maxWaiting: MAX_WAITING_ITEMS,
      tally,
      rowOf: ({ accountId }) => accountId,
      run: run(LOCK_WAIT_MS),
    });
    this.#ofAccounts = new AccountBatchers({
      run: run(PATIENT_LOCK_WAIT_MS),
      findFree: async (accounts) => (await database.findFreeAccounts(accounts)).map(({ id }) => id),
      tally,
    });
  }

  async finish(finish: FinishRequest): Promise<FinishOutcome> {
    const beganAt = performance.now();
    const deliveryId = this.#doubtful.deliveryIdOf(finish) ?? newDeliveryId();
    const shared = await this.#finishShared({ ...finish, deliveryId });
    this.#doubtful.delete(finish);
    traceEnd(shared, { asked: reasonOf(finish), beganAt });
    return toFinished(shared.row);
  }

  async #finishShared(finish: NamedFinish): Promise<SharedFinish> {
    const { accountId } = finish;
    if (this.#ofAccounts.has(accountId)) return this.#ofAccounts.add(accountId, finish);
    return this.#finishTogether(finish).catch((error: unknown) => {
      if (!(error instanceof DatabaseConflictError)) throw error;
      return this.#ofAccounts.add(accountId, finish);
    });
  }

  /** Ends tasks of which each is named once. */
  async #finishRound(round: NamedFinish[], lockWaitMs: number): Promise<[NamedFinish, SharedFinish][]> {
    const rows = await this.#write(round, lockWaitMs).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailableError) this.#doubtful.add(round);
      throw error;
    });
    return round.map((item) => {
      const row = rows.get(item.taskId);
      if (row) this.#onEnded?.(toFinishedTask(row, reasonOf(item)));
      return [item, { row, together: round.length }];
    });
  }

  /** An end whose answer was lost is found by the try that follows, which changes nothing: it is this process's own. */
  async #write(round: NamedFinish[], lockWaitMs: number): Promise<Map<string, FinishRow>> {
    let tries = 0;
    const written = await retrySafely(() => {
      tries += 1;
      return this.#database.finishTasks(round.map(toFinish), lockWaitMs);
    }, CONFLICTS_PASS);
    const rows = new Map(written.map((row) => [row.task_id, row]));
    const missing = round.filter(
      (item) => !rows.has(item.taskId) && (tries > 1 || this.#doubtful.deliveryIdOf(item) !== undefined),
    );
    if (missing.length === 0) return rows;
    if (tries > 1) this.#doubtful.add(missing);
    for (const [item, end] of await this.#findOwn(missing)) {
      // Where two items ask for the same end, the first alone wins it.
      if (item.fence === 'any' || this.#doubtful.delete(item)) rows.set(end.task_id, end);
    }
    return rows;
  }

  async #findOwn(items: NamedFinish[]): Promise<[NamedFinish, FoundFinishRow][]> {
    const found = await retrySafely(() => this.#database.findEnds(items.map(({ taskId }) => taskId)), CONFLICTS_PASS);
    const ends = new Map(found.map((end) => [end.task_id, end]));
    return items.flatMap((item) => {
      const end = ends.get(item.taskId);
      return end && isOwnEnd(item, end) ? [[item, end]] : [];
    });
  }
}

function reasonOf({ outcome }: FinishRequest): TaskFailureReason | undefined {
  return outcome.kind === 'failed' ? outcome.error.reason : undefined;
}

/** The row has what this very end wrote: another worker, or the reconciler under the same fence, may have ended the task alike. */
function isOwnEnd(item: NamedFinish, end: FoundFinishRow): boolean {
  const { outcome, attempt } = item;
  if (end.status !== outcome.kind || end.reason !== (reasonOf(item) ?? null)) return false;
  if (end.delivery_id !== null) return end.delivery_id === item.deliveryId;
  // Nobody but the holder of a fence completes its task.
  if (outcome.kind === 'completed') return end.fence === item.fence;
  // Whoever ends a task over the head of its worker leaves the attempt unknown.
  if (attempt === undefined || attempt.state === 'unknown') return false;
  return end.attempt_id === attempt.id && end.attempt_state === attempt.state;
}

/** Rounds that have been committed stay so: where a later round fails, only its items and those of the rounds after it fail. */
async function inRounds<Item extends { taskId: TaskId }, End>(
  items: Item[],
  run: (round: Item[]) => Promise<[Item, End][]>,
): Promise<(End | Promise<End>)[]> {
  const ends = new Map<Item, End>();
  let failure: unknown;
  for (const round of roundsOfDistinctTasks(items)) {
    try {
      for (const [item, end] of await run(round)) ends.set(item, end);
    } catch (error) {
      if (ends.size === 0) throw error;
      failure = error;
      break;
    }
  }
  return items.map((item) => ends.get(item) ?? Promise.reject(failure));
}

/** A statement may name a task once; a second item of the same task waits for the first one's outcome. */
function roundsOfDistinctTasks<Item extends { taskId: TaskId }>(items: Item[]): Item[][] {
  const rounds: Item[][] = [];
  const seen = new Map<TaskId, number>();
  for (const item of items) {
    const round = seen.get(item.taskId) ?? 0;
    seen.set(item.taskId, round + 1);
    rounds[round] = [...(rounds[round] ?? []), item];
  }
  return rounds;
}

/**
 * Ends a task because an operator says so, by the statement that ends every task: with a full refund, but for what its process kept as used
 * (`keepEnd`). `after` of the outcome names the delivery to enqueue.
 */
export async function endByOperator(
  database: Database,
  { taskId, onEnded }: FinisherOptions & { taskId: TaskId },
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const end = { kind: 'failed', error: taskError('cancelled') } as const;
  const named = { taskId, fence: 'any', outcome: end, deliveryId: newDeliveryId() } as const;
  const item = { ...toFinish(named), note: noteOf('task.fail', request) };
  return changeOnce(database, request, async () => {
    const beganAt = performance.now();
    const rows = await database.finishTasks([item]);
    if (rows[0]) onEnded?.(toFinishedTask(rows[0], end.error.reason));
    traceEnd({ row: rows[0], together: 1 }, { asked: end.error.reason, beganAt });
    return rows.map(({ delivery_id }) => ({ subject: taskId, before: null, after: { delivery_id } }));
  });
}
