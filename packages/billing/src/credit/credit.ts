import { setTimeout as delay } from 'node:timers/promises';
import { OpenItems } from '@mediagate/concurrency';
import type { Nano } from '@mediagate/contracts';
import { DatabaseUnavailableError } from '@mediagate/database';
import type { Finish, Finished } from '../end';
import type { EndedTask } from '../ended-task';
import type { Submission, SubmitOutcome } from '../submission';
import { type CreditDatabase, createBooker, type Entry, endAfterFault } from './book-drawn';
import { BusyKeys } from './busy-keys';
import { type Drawn, endedOf, endedPayload, endOf, overrunOf, runningPayload } from './drawn';
import { type DrawnEnd, endsByTranche } from './ends-by-tranche';
import { Tranche } from './tranche';

export interface CreditOptions {
  /** Of one account and key in one process at most; 0: none is taken. */
  limitNano: Nano;
  /** No text is unknown to the database for longer while that answers, and nothing is drawn for longer without having asked it. */
  seconds: number;
  /** Of what is not renewed, by the database's clock. Several times `seconds`. */
  lifeMs?: number;
  /** The exact way into the books, for what a tranche does not cover any more. */
  submit(submission: Submission): Promise<SubmitOutcome>;
  finish(finish: Finish): Promise<Finished>;
  onEnded?(ended: EndedTask): void;
}

const LIFE_MS = 15_000;
/** A task may cost this share of the limit at most. */
const MIN_TASKS = 8n;
/** A tranche that nobody draws from is given back. */
const IDLE_MS = 500;
const LOOK_EVERY_MS = 100;
/** After the database was found away. */
const AWAY_PAUSE_MS = 500;
const CLOSE_WITHIN_MS = 3000;
const CLOSE_PAUSE_MS = 5;
/** Of one process. */
const MAX_TRANCHES = 1000;
/** Drawn and not booked; beyond them texts go the exact way, which refuses them while the database is away. */
const MAX_DRAWN = 2000;
/** A text that is not in the books after so long gives its money back to the tranche: its deadline is over. Whoever ends it later books it the exact way. */
const MAX_DRAWN_MS = 10 * 60_000;

/**
 * Money that this process takes of busy keys in advance, a tranche for each, so that a text need not wait for the database: it is drawn in
 * memory, and booked with others afterwards, as it ended or, where it lasts, as one that runs. Whatever is not covered goes the exact way.
 */
export class Credit {
  readonly #options: CreditOptions;
  readonly #send: (entry: Entry) => Promise<boolean>;
  readonly #tranches = new Map<string, Tranche>();
  readonly #busy = new BusyKeys();
  /** Whose money is outstanding, in the order of their drawing. */
  readonly #drawn = new OpenItems<Drawn>();
  readonly #looking: NodeJS.Timeout;
  #isClosed = false;
  #awayUntil = 0;

  constructor(database: CreditDatabase, options: CreditOptions) {
    this.#options = options;
    const { lifeMs = LIFE_MS } = options;
    this.#send = createBooker(database, { lifeMs, onBooked: (drawn) => this.#release(drawn, 'known') });
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
    drawn.place = this.#drawn.add(drawn);
    return drawn;
  }

  /**
   * Books how a task ended. It may be called again with the same end, and is tried by itself meanwhile.
   *
   * @throws DatabaseUnavailableError, DatabaseConflictError; Error: it is not covered any more, and the balance does not do.
   */
  async end(drawn: Drawn, end: Finish): Promise<Finished> {
    drawn.end ??= end;
    while (drawn.finished === undefined) await this.#write(drawn);
    return drawn.finished;
  }

  /**
   * Books how tasks ended, those of which nothing was sent yet by one promise for many. Calls `onEnded` once for each: with true when it is booked, with
   * false where it is for `end` to go on, which of one that was sent before is at once.
   */
  endTogether<End extends DrawnEnd>(ends: readonly End[], onEnded: (end: End, isBooked: boolean) => void): void {
    const fresh: End[] = [];
    for (const ended of ends) {
      const { drawn, end } = ended;
      if (drawn.state === 'drawn') {
        drawn.end = end;
        drawn.state = 'ending';
        fresh.push(ended);
      } else onEnded(ended, false);
    }
    for (const entry of endsByTranche(fresh)) void this.#endEntry(entry, onEnded);
  }

  /** Never rejects: a fault that is not the database's is met again, and reported, by whoever ends them one by one. */
  async #endEntry<End extends DrawnEnd>(
    entry: readonly End[],
    onEnded: (end: End, isBooked: boolean) => void,
  ): Promise<void> {
    const texts = entry.map(({ drawn }) => drawn);
    const booking = this.#bookEnds(texts).catch((error: unknown) => this.#noteFailure(error));
    for (const drawn of texts) drawn.beingBooked = booking;
    await booking;
    for (const drawn of texts) drawn.beingBooked = undefined;
    for (const ended of entry) onEnded(ended, ended.drawn.finished !== undefined);
  }

  /** Nobody will book it any more. */
  forget(drawn: Drawn): void {
    this.#release(drawn, 'known');
  }

  /** What lasts is booked as running, what could not be written is tried again, and what nobody draws from is given back. By a timer, ten times a second. */
  look(now = performance.now()): void {
    if (now < this.#awayUntil) return;
    for (const drawn of this.#drawn) this.#lookAtDrawn(drawn, now);
    for (const tranche of this.#tranches.values()) this.#lookAt(tranche, now);
  }

  /** Gives back what is left, once all that was drawn is booked. What the database does not take in time lapses by itself. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const tranche of this.#tranches.values()) tranche.isClosing = true;
    const until = performance.now() + CLOSE_WITHIN_MS;
    for (this.look(); this.#tranches.size > 0 && performance.now() < until; this.look()) await delay(CLOSE_PAUSE_MS);
    clearInterval(this.#looking);
  }

  #open({ accountId, keyId }: Submission, now: number): Tranche | undefined {
    if (!this.#busy.count(keyId, now) || this.#tranches.size >= MAX_TRANCHES) return undefined;
    const { limitNano, seconds } = this.#options;
    const tranche = new Tranche({ accountId, keyId }, { limitNano, usableMs: seconds * 1000 });
    this.#tranches.set(keyId, tranche);
    return tranche;
  }

  #lookAtDrawn(drawn: Drawn, now: number): void {
    if (drawn.beingBooked !== undefined) return;
    const age = now - drawn.drawnAt;
    if (age > MAX_DRAWN_MS) {
      this.#release(drawn, 'uncovered');
      return;
    }
    const isDue = drawn.state !== 'drawn' || drawn.tranche.isClosing || age >= this.#options.seconds * 500;
    if (isDue) this.#write(drawn).catch((error: unknown) => this.#noteFailure(error));
  }

  #lookAt(tranche: Tranche, now: number): void {
    const isIdle = now - tranche.lastDrawnAt > IDLE_MS;
    // What opens or fills it up may come after what gives it back, and would take money that nobody knows of.
    if (!tranche.isSpent || tranche.isRenewing || !(isIdle || tranche.isClosing)) return;
    // The database wants none to be taken for now.
    if (tranche.isClosing) this.#busy.rest(tranche.keyId, now, tranche.restMs);
    tranche.isClosing = true;
    this.#sendAlone(tranche).then(
      () => this.#tranches.delete(tranche.keyId),
      (error: unknown) => this.#noteFailure(error),
    );
  }

  #renew(tranche: Tranche): void {
    if (!tranche.isRenewing && !tranche.isClosing) this.#sendAlone(tranche).catch(() => undefined);
  }

  async #sendAlone(tranche: Tranche): Promise<void> {
    tranche.isRenewing = true;
    try {
      await this.#send({ tranche, texts: [], payloadOf: runningPayload });
    } finally {
      tranche.isRenewing = false;
    }
  }

  #noteFailure(error: unknown): void {
    if (error instanceof DatabaseUnavailableError) this.#awayUntil = performance.now() + AWAY_PAUSE_MS;
  }

  /** One statement of a text is under way at most. */
  #write(drawn: Drawn): Promise<void> {
    drawn.beingBooked ??= this.#writeNext(drawn).finally(() => {
      drawn.beingBooked = undefined;
    });
    return drawn.beingBooked;
  }

  async #writeNext(drawn: Drawn): Promise<void> {
    if (drawn.state === 'drawn') drawn.state = drawn.end === undefined ? 'running' : 'ending';
    // It may be in the books as one that runs: a task that is there is not written again.
    if (drawn.state === 'running') await this.#book([drawn], runningPayload);
    else if (drawn.state === 'ending') await this.#bookEnds([drawn]);
    if (drawn.state === 'uncovered') await this.#submit(drawn);
    if (drawn.state === 'known' && drawn.end) drawn.finished ??= await this.#options.finish(drawn.end);
  }

  /** Of one tranche. */
  async #bookEnds(texts: readonly Drawn[]): Promise<void> {
    if (!(await this.#book(texts, endedPayload))) return;
    const ended = texts.map((drawn) => ({ drawn, end: endOf(drawn) }));
    for (const { drawn, end } of ended) {
      drawn.finished = { won: true, overrunNano: overrunOf(drawn.submission, end.outcome) };
    }
    for (const { drawn, end } of ended) this.#options.onEnded?.(endedOf(drawn, end));
  }

  /**
   * False: their tranche does not cover them any more, or the statement cannot take the one there is. From then on they are not tried that way again.
   *
   * @throws whatever the statement has against several: each has to be tried alone, by the tranche that pays for it.
   */
  async #book(texts: readonly Drawn[], payloadOf: (drawn: Drawn) => string): Promise<boolean> {
    const [first] = texts;
    if (first === undefined) return true;
    const entry = { tranche: first.tranche, texts, payloadOf };
    const isBooked = await this.#send(entry).catch((error: unknown) => endAfterFault(error, entry));
    if (!isBooked) for (const drawn of texts) if (drawn.state !== 'known') drawn.state = 'uncovered';
    return isBooked;
  }

  /** As if nothing had been drawn. */
  async #submit(drawn: Drawn): Promise<void> {
    drawn.refusal ??= await this.#submitOnce(drawn);
    if (drawn.refusal !== undefined) throw new Error(`a drawn text is not covered any more: ${drawn.refusal}`);
  }

  /** Why not. */
  async #submitOnce(drawn: Drawn): Promise<string | undefined> {
    const { kind } = await this.#options.submit(drawn.submission);
    this.#release(drawn, kind === 'accepted' ? 'known' : 'uncovered');
    return kind === 'accepted' ? undefined : kind;
  }

  #release(drawn: Drawn, state: 'known' | 'uncovered'): void {
    drawn.state = state;
    if (drawn.place && this.#drawn.remove(drawn.place)) drawn.tranche.release(drawn.submission.reservedNano);
  }
}
