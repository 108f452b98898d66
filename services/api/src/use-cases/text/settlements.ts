import { setTimeout as delay } from 'node:timers/promises';
import type { FinishOutcome, FinishRequest, Submission, SubmitOutcome } from '@mediagate/billing';
import { retry } from '@mediagate/concurrency';
import type { Nano, TaskId } from '@mediagate/contracts';
import { isOutage, type StopReason } from '@mediagate/database';
import { keepTrace, type Logger } from '@mediagate/host';
import { Counter, type Registry } from 'prom-client';
import { type OpenText, OpenTexts, type SettledTask, type SettlementWatch } from './open-texts';

export interface SettlementsDeps {
  finish(finish: FinishRequest): Promise<FinishOutcome>;
  submit(submission: Submission): Promise<SubmitOutcome>;
  readTask(id: string): Promise<{ status: string; fence: number } | undefined>;
  logger: Logger;
  metrics: Registry;
}

export interface Settlement {
  /**
   * The task is booked, and in flight from here on.
   *
   * @param watch.settled called once, when its end is written or given up.
   * @param watch.stop called when it is cancelled, or no longer this process's; may be called again.
   * @param watch.endNow how it ends if this process is gone now; called with each renewal of its lease.
   */
  booked(watch: SettlementWatch): void;
  /** Undefined: the task was not booked, or its lease is left to lapse. */
  end(end: SettledTask | undefined): void;
}

/** Whether there is money for a submission. */
interface MoneyDecision<Outcome> {
  decide(): Promise<Outcome>;
  lacksMoney(outcome: Outcome): boolean;
}

interface TextEnd {
  text: OpenText;
  settled: SettledTask;
}

/**
 * How long an end may wait for others: one statement for many costs the accounts' rows one lock, which new reservations
 * would wait for.
 */
const GATHER_MS = 5;
/** A caller whose money is still held by its last text waits so long for it at most: some milliseconds, unless the database is slow. */
const SETTLING_MS = 5_000;
/** While the database is away each end retries by itself; beyond so many no doubtful booking is added to them. */
const CROWD = 1000;
const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;
/** Retries stop before the deadline of the task, after which another process refunds it. Its lease is kept meanwhile. */
const GIVE_UP_AFTER_MS = 9 * 60_000;
/** The fence of tasks that run in this process: nobody claims them, so it stays as it was made. */
const OWN_FENCE = 0;

/** Writes how the tasks that ran in this process ended, after their callers have been answered. */
export class Settlements {
  readonly #deps: SettlementsDeps;
  readonly #lost: Counter;
  /** Ends that are written together. */
  #gathered: (() => void)[] = [];
  readonly #texts = new OpenTexts();
  /** Decisions under way, by account. */
  readonly #decisions = new Map<string, Set<{ isStale: boolean }>>();

  constructor(deps: SettlementsDeps) {
    this.#deps = deps;
    this.#lost = createLostCounter(deps.metrics);
  }

  /** True: so many texts are in flight that a booking which may not even exist is left to its lease. */
  get crowded(): boolean {
    return this.#texts.inFlight > CROWD;
  }

  /** The tasks that are booked and not yet settled: this process renews their leases. */
  inFlight(): readonly Pick<OpenText, 'taskId' | 'endNow'>[] {
    return this.#texts.all();
  }

  /** Ends the work on a task that is cancelled or no longer this process's, if it is in flight here. */
  stop(taskId: TaskId, why: StopReason): void {
    this.#texts.stop(taskId, why);
  }

  /** Makes a drain wait for the task from here on, before it is booked, until `end` is called and its argument is written. */
  open(taskId: TaskId): Settlement {
    const text = this.#texts.begin(taskId);
    return { booked: (watch) => this.#texts.book(text, watch), end: (end) => this.#end(text, end) };
  }

  /**
   * Decides once more where money was missing, after the ends of the account's texts that are being written are written. An end that was
   * written while the decision was made counts, too: it may have been made without the money that the end has freed.
   *
   * @param limitMs how long ends are waited for.
   */
  async onceSettled<Outcome>(
    accountId: string,
    { decide, lacksMoney }: MoneyDecision<Outcome>,
    limitMs = SETTLING_MS,
  ): Promise<Outcome> {
    const decision = { isStale: false };
    const ofAccount = this.#decisions.get(accountId) ?? new Set();
    this.#decisions.set(accountId, ofAccount.add(decision));
    try {
      const outcome = await decide();
      if (!lacksMoney(outcome)) return outcome;
      await this.#settling(accountId, limitMs);
      return decision.isStale ? await decide() : outcome;
    } finally {
      ofAccount.delete(decision);
      if (ofAccount.size === 0) this.#decisions.delete(accountId);
    }
  }

  /** Resolves when every open task has ended and is written, or when the time is up. */
  async drain(timeoutMs: number): Promise<void> {
    await Promise.race([this.#texts.emptied(), delay(timeoutMs, undefined, { ref: false })]);
    if (this.#texts.size > 0) this.#deps.logger.warn('text.settlements_left', { count: this.#texts.size });
  }

  /** Resolves once the ends of the account's texts that are being written now are written, or when the time is up. */
  async #settling(accountId: string, limitMs: number): Promise<void> {
    const texts = this.#texts.settling(accountId);
    if (texts.length === 0) return;
    const written = Promise.all(texts.map(({ whenOver }) => new Promise<void>((resolve) => whenOver.push(resolve))));
    const isWritten = new AbortController();
    const limit = delay(limitMs, undefined, { ref: false, signal: isWritten.signal }).catch(() => undefined);
    await Promise.race([written, limit]);
    isWritten.abort();
  }

  #end(text: OpenText, end: SettledTask | undefined): void {
    if (end === undefined) {
      this.#texts.end(text);
      return;
    }
    text.settled = end;
    // A booking whose answer was lost may exist: until its refund is written, its lease is renewed.
    this.#texts.book(text);
    // Each goes on in the trace of its own request.
    const count = this.#gathered.push(keepTrace(() => void this.#write({ text, settled: end })));
    if (count === 1) setTimeout(() => this.#writeGathered(), GATHER_MS);
  }

  #writeGathered(): void {
    const writes = this.#gathered;
    this.#gathered = [];
    for (const write of writes) write();
  }

  async #write({ text, settled }: TextEnd): Promise<void> {
    const { logger } = this.#deps;
    const { taskId, model } = settled;
    try {
      await this.#report(settled, await this.#finish(settled));
    } catch (error) {
      this.#lost.inc();
      logger.error('text.settlement_lost', { taskId, model, error });
    } finally {
      this.#texts.end(text);
      for (const decision of this.#decisions.get(settled.accountId) ?? []) decision.isStale = true;
    }
  }

  /** A text is held without waiting for the disk: a crash of the database may have taken it along, and then it is booked anew. */
  async #finish(settled: SettledTask): Promise<FinishOutcome> {
    const { finish, submit, readTask, logger } = this.#deps;
    const { taskId, model, submission } = settled;
    const end = toFinish(settled);
    const finished = await patiently(() => finish(end));
    // Nobody owes anything for it, whether it is in the books or gone.
    if (end.outcome.kind === 'failed') return finished;
    const isGone = !finished.won && submission && (await patiently(() => readTask(taskId))) === undefined;
    if (!isGone) return finished;
    const { waitsForSlot: _, holdsByHalves: __, ...again } = { ...submission, leastNano: 0n };
    const { kind } = await patiently(() => submit(again));
    logger.warn('text.booked_again', { taskId, model, outcome: kind });
    if (kind !== 'accepted') throw new Error(`the database has lost a text, and does not take it again: ${kind}`);
    return patiently(() => finish(end));
  }

  async #report({ taskId, outcome, model }: SettledTask, { won, overrunNano }: FinishOutcome): Promise<void> {
    const { readTask, logger } = this.#deps;
    const isOwn = won || outcome.kind === 'failed' || isCompletedHere(await patiently(() => readTask(taskId)));
    if (!isOwn) {
      this.#lost.inc();
      logger.error('text.settlement_lost', { taskId, model, detail: 'somebody else ended the task' });
    }
    this.#reportOverrun(taskId, model, overrunNano);
  }

  #reportOverrun(taskId: TaskId, model: string, amountNano: Nano): void {
    if (amountNano > 0n) this.#deps.logger.error('task.overrun', { taskId, model, amountNano });
  }
}

/**
 * Whether an earlier try, whose answer was lost, completed the task. A process that takes a text over raises its fence, and settles
 * the usage that was known.
 */
function isCompletedHere(task: { status: string; fence: number } | undefined): boolean {
  return task?.status === 'completed' && task.fence === OWN_FENCE;
}

function toFinish({ taskId, accountId, outcome, calls }: SettledTask): FinishRequest {
  return { taskId, accountId, fence: OWN_FENCE, outcome, calls };
}

function createLostCounter(metrics: Registry): Counter {
  return new Counter({
    name: 'mediagate_text_settlements_lost_total',
    help: 'Ends of text tasks that could not be written, or came after another process had ended the task.',
    registers: [metrics],
  });
}

/** Retries while the database is away, up to a limit: writing an end twice changes nothing, and neither does reading. */
function patiently<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, {
    firstPauseMs: FIRST_RETRY_MS,
    maxPauseMs: MAX_RETRY_MS,
    withinMs: GIVE_UP_AFTER_MS,
    unref: true,
    isWorthRetrying: isOutage,
  });
}
