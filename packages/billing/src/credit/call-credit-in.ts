import { setTimeout as delay } from 'node:timers/promises';
import { type Database, DatabaseBusyError, DatabaseConflictError } from '@mediagate/database';
import type { Submission, SubmitOutcome } from '../submission';

const PAUSE_MS = 25;
/** Of one process, and of one account in it; whoever comes beyond them is refused at once. */
const MAX_WAITING = 1024;
const MAX_WAITING_OF_ACCOUNT = 128;

type Submit = (submission: Submission) => Promise<SubmitOutcome>;
type CallIn = Pick<Database, 'callCreditIn'>;

/**
 * Nobody is refused because of money that a process has taken in advance and not used: it is called in, and waited for. Where that cannot help, the
 * refusal stands at once. It stands as well where the account's row is held until the time is up: who was refused for money is not refused as if there
 * were no database. What a process that died has taken is given back when it lapses, and counts as held until then.
 */
export function submitOnceCreditIsIn(database: CallIn, { submit, waitMs }: { submit: Submit; waitMs: number }): Submit {
  const calls = new CreditCalls(database);

  /** Undefined: others hold the row of its account, and nothing was written. */
  async function submitIfFree(submission: Submission): Promise<SubmitOutcome | undefined> {
    try {
      return await submit(submission);
    } catch (error) {
      if (!(error instanceof DatabaseBusyError || error instanceof DatabaseConflictError)) throw error;
      await delay(PAUSE_MS);
      return undefined;
    }
  }

  return async (submission) => {
    let outcome = await submit(submission);
    const until = performance.now() + waitMs;
    while (outcome.kind === 'insufficient' && (await calls.cover(submission, until)))
      outcome = (await submitIfFree(submission)) ?? outcome;
    return outcome;
  };
}

interface Waiter {
  keyId: string;
  amountNano: bigint;
  until: number;
  resolve(isCovered: boolean): void;
  reject(error: unknown): void;
}

/** Of each account one statement is under way at most, for all that wait for its credit. */
class CreditCalls {
  readonly #database: CallIn;
  readonly #waiting = new Map<string, Set<Waiter>>();
  #count = 0;

  constructor(database: CallIn) {
    this.#database = database;
  }

  /**
   * Resolves when account and key have the money without what is out as credit, or never will, or the time is up; with whether they have.
   *
   * @throws DatabaseUnavailableError
   */
  cover({ accountId, keyId, reservedNano: amountNano }: Submission, until: number): Promise<boolean> {
    const waiting = this.#waiting.get(accountId) ?? new Set();
    const isFull = this.#count >= MAX_WAITING || waiting.size >= MAX_WAITING_OF_ACCOUNT;
    if (isFull || performance.now() > until) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      waiting.add({ keyId, amountNano, until, resolve, reject });
      this.#count += 1;
      if (this.#waiting.has(accountId)) return;
      this.#waiting.set(accountId, waiting);
      void this.#serve(accountId, waiting);
    });
  }

  /** Never rejects. */
  async #serve(accountId: string, waiting: Set<Waiter>): Promise<void> {
    while (waiting.size > 0) {
      await this.#ask(accountId, waiting);
      if (waiting.size > 0) await delay(PAUSE_MS);
    }
    this.#waiting.delete(accountId);
  }

  async #ask(accountId: string, waiting: Set<Waiter>): Promise<void> {
    const asked = [...waiting];
    const leave = (waiter: Waiter) => {
      if (waiting.delete(waiter)) this.#count -= 1;
    };
    try {
      const rows = await this.#database.callCreditIn(accountId, asked);
      asked.forEach((waiter, index) => {
        const { covered = false, coverable = false } = rows[index] ?? {};
        if (!covered && coverable && performance.now() < waiter.until) return;
        leave(waiter);
        waiter.resolve(covered);
      });
    } catch (error) {
      for (const waiter of asked) {
        // Asked again, while there is time.
        const isAskedAgain = error instanceof DatabaseConflictError;
        if (isAskedAgain && performance.now() < waiter.until) continue;
        leave(waiter);
        if (isAskedAgain) waiter.resolve(false);
        else waiter.reject(error);
      }
    }
  }
}
