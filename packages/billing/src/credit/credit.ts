import type { Nano } from '@mediagate/contracts';
import {
  createBatcher,
  type Database,
  DatabaseConflictError,
  DatabaseUnavailableError,
  retrySafely,
  type TrancheRow,
} from '@mediagate/database';
import type { Finish, Finished } from '../end';
import type { EndedTask } from '../ended-task';
import type { Submission, SubmitOutcome } from '../submission';
import { BusyKeys } from './busy-keys';
import { type Drawn, endedOf, endedPayload, overrunOf, runningPayload } from './drawn';
import { Tranche } from './tranche';

export interface CreditOptions {
  /** Of one account and key in one process at most; 0: none is taken. */
  limitNano: Nano;
  /** No text is unknown to the database for longer while that answers, and nothing is drawn for longer without having asked it. */
  seconds: number;
  /** The exact way into the books, for what a tranche does not cover any more. */
  submit(submission: Submission): Promise<SubmitOutcome>;
  finish(finish: Finish): Promise<Finished>;
  onEnded?(ended: EndedTask): void;
}

type CreditDatabase = Pick<Database, 'bookDrawn' | 'tally'>;

interface Entry {
  tranche: Tranche;
  /** Absent: the tranche is opened, filled up or given back. */
  booked?: { drawn: Drawn; payload(): string };
}

const MAX_BATCH_ITEMS = 128;
const MAX_WAITING_ITEMS = 5000;
const LOCK_WAIT_MS = 250;
/** Of a tranche that nobody renews, by the database's clock. */
const LIFE_MS = 15_000;
/** An account, and a key with a quota, must have so many times as much beside what is taken. */
const HEADROOM = 4;
/** A task may cost this share of the limit at most. */
const MIN_TASKS = 8n;
/** A tranche that nobody draws from is given back. */
const IDLE_MS = 500;
const LOOK_EVERY_MS = 100;
/** Of one process. */
const MAX_TRANCHES = 1000;
/** Drawn and not booked; beyond them texts go the exact way, which refuses them while the database is away. */
const MAX_DRAWN = 2000;

/**
 * Money that this process takes of busy keys in advance, a tranche for each, so that a text need not wait for the database: it is drawn in
 * memory, and booked with others afterwards, as it ended or, where it lasts, as one that runs. Whatever is not covered goes the exact way.
 */
export class Credit {
  readonly #database: CreditDatabase;
  readonly #options: CreditOptions;
  readonly #send: (entry: Entry) => Promise<boolean>;
  readonly #tranches = new Map<string, Tranche>();
  readonly #busy = new BusyKeys();
  /** Of states before `known`, in the order of their drawing. */
  readonly #drawn = new Set<Drawn>();
  readonly #looking: NodeJS.Timeout;
  #isClosed = false;

  constructor(database: CreditDatabase, options: CreditOptions) {
    this.#database = database;
    this.#options = options;
    this.#send = createBatcher<Entry, boolean>({
      maxItems: MAX_BATCH_ITEMS,
      maxWaiting: MAX_WAITING_ITEMS,
      tally: database.tally('drawn'),
      rowOf: ({ tranche }) => tranche.accountId,
      run: (entries) => this.#book(entries),
    });
    this.#looking = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  /** Undefined: it is to be booked before anything is done for it. */
  draw(submission: Submission): Drawn | undefined {
    const { keyId, reservedNano } = submission;
    if (this.#isClosed || reservedNano === 0n || reservedNano * MIN_TASKS > this.#options.limitNano) return undefined;
    const now = performance.now();
    const tranche = this.#tranches.get(keyId) ?? this.#open(submission, now);
    if (tranche === undefined || this.#drawn.size >= MAX_DRAWN) return undefined;
    const isCovered = tranche.draw(reservedNano, now);
    if (tranche.isDue(now)) this.#renew(tranche);
    if (!isCovered) return undefined;
    const drawn: Drawn = { submission, tranche, drawnAt: now, state: 'drawn' };
    this.#drawn.add(drawn);
    return drawn;
  }

  /**
   * Books how a task ended. It may be called again with the same end.
   *
   * @throws DatabaseUnavailableError, DatabaseConflictError; Error: it is not covered any more, and the balance does not do.
   */
  async end(drawn: Drawn, end: Finish): Promise<Finished> {
    // It may be in the books as one that runs: a task that is there is not written again.
    if (drawn.state === 'running') await this.#bookRunning(drawn);
    if (drawn.state === 'known') return this.#options.finish(end);
    drawn.state = 'ending';
    const isBooked = await this.#sendBooking(drawn, () => endedPayload(drawn, end));
    if (!isBooked) {
      await this.#submit(drawn);
      return this.#options.finish(end);
    }
    this.forget(drawn);
    this.#options.onEnded?.(endedOf(drawn, end));
    return { won: true, overrunNano: overrunOf(drawn.submission, end.outcome) };
  }

  /** Nobody will book it any more. */
  forget(drawn: Drawn): void {
    if (!this.#drawn.delete(drawn)) return;
    drawn.state = 'known';
    drawn.tranche.release(drawn.submission.reservedNano);
  }

  /** What lasts is booked as running, and what nobody draws from is given back. By a timer, ten times a second. */
  look(now = performance.now()): void {
    for (const drawn of this.#drawn) {
      const isYoung = now - drawn.drawnAt < this.#options.seconds * 500;
      if (isYoung && !drawn.tranche.isClosing) continue;
      if (drawn.state === 'drawn' || (drawn.state === 'running' && drawn.beingBooked === undefined)) {
        this.#bookRunning(drawn).catch(() => undefined);
      }
    }
    for (const tranche of this.#tranches.values()) this.#lookAt(tranche, now);
  }

  /** Gives back what is left, once all that was drawn is booked. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    const open = [...this.#tranches.values()];
    await Promise.allSettled(open.map((tranche) => this.#giveBack(tranche)));
  }

  #open({ accountId, keyId }: Submission, now: number): Tranche | undefined {
    if (!this.#busy.count(keyId, now) || this.#tranches.size >= MAX_TRANCHES) return undefined;
    const { limitNano, seconds } = this.#options;
    const tranche = new Tranche({ accountId, keyId }, { limitNano, usableMs: seconds * 1000 });
    this.#tranches.set(keyId, tranche);
    return tranche;
  }

  #lookAt(tranche: Tranche, now: number): void {
    const isIdle = now - tranche.lastDrawnAt > IDLE_MS;
    if (!tranche.isSpent || tranche.isRenewing || !(isIdle || tranche.isClosing)) return;
    // The database wants none to be taken for now.
    if (tranche.isClosing) this.#busy.rest(tranche.keyId, now);
    this.#giveBack(tranche).catch(() => undefined);
  }

  /** It lapses by itself where that fails. */
  async #giveBack(tranche: Tranche): Promise<void> {
    tranche.isClosing = true;
    if (!tranche.isSpent) return;
    this.#tranches.delete(tranche.keyId);
    await this.#send({ tranche });
  }

  #renew(tranche: Tranche): void {
    if (tranche.isRenewing || tranche.isClosing) return;
    tranche.isRenewing = true;
    const renewed = () => {
      tranche.isRenewing = false;
    };
    this.#send({ tranche }).then(renewed, renewed);
  }

  #bookRunning(drawn: Drawn): Promise<void> {
    drawn.state = 'running';
    drawn.beingBooked ??= this.#writeRunning(drawn).finally(() => {
      drawn.beingBooked = undefined;
    });
    return drawn.beingBooked;
  }

  async #writeRunning(drawn: Drawn): Promise<void> {
    if (await this.#sendBooking(drawn, () => runningPayload(drawn))) this.forget(drawn);
    else await this.#submit(drawn);
  }

  /** False: the tranche does not cover it any more, or the statement cannot take it. */
  #sendBooking(drawn: Drawn, payload: () => string): Promise<boolean> {
    return this.#send({ tranche: drawn.tranche, booked: { drawn, payload } }).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailableError || error instanceof DatabaseConflictError) throw error;
      return false;
    });
  }

  /** As if nothing had been drawn. */
  async #submit(drawn: Drawn): Promise<void> {
    const { kind } = await this.#options.submit(drawn.submission);
    this.forget(drawn);
    if (kind !== 'accepted') throw new Error(`a drawn text is not covered any more: ${kind}`);
  }

  async #book(entries: Entry[]): Promise<boolean[]> {
    const tranches = [...new Set(entries.map(({ tranche }) => tranche))];
    const places = new Map(tranches.map((tranche, index) => [tranche, index + 1]));
    const wishes = tranches.map((tranche) => tranche.wish());
    const sentAt = performance.now();
    const tasks = entries.flatMap(({ tranche, booked }) => {
      if (booked === undefined) return [];
      const { taskId } = booked.drawn.submission;
      return [{ tranche: places.get(tranche) ?? 0, taskId, payload: booked.payload() }];
    });
    const options = { lifeMs: LIFE_MS, headroom: HEADROOM, lockWaitMs: LOCK_WAIT_MS };
    const rows = await retrySafely(() => this.#database.bookDrawn(wishes, tasks, options), { conflictRetries: 0 });
    const answers = new Map(tranches.map((tranche, index) => [tranche, rows[index] as TrancheRow]));
    for (const [tranche, row] of answers) tranche.answered(row, sentAt);
    return entries.map(({ tranche, booked }) => {
      const isBooked = answers.get(tranche)?.booked === true;
      // At once, so that what is left and what is outstanding are of the same moment.
      if (isBooked && booked) this.forget(booked.drawn);
      return isBooked;
    });
  }
}
