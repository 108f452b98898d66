import { setTimeout as delay } from 'node:timers/promises';
import type { SubmitOutcome } from '@mediagate/billing';
import { Slots } from '@mediagate/concurrency';
import { type Family, GatewayError, message, type Owner } from '@mediagate/contracts';
import { RETRY_AFTER_NO_SLOT_SECONDS, SLOT_WAIT_SECONDS } from '../request-limits';
import { type CallerConnection, CallerLeftError } from './caller-connection';

/** The tasks that share one limit: those of a key and a family. */
export interface SlotsOf {
  keyId: string;
  family: Family;
}

export interface SlotRequest extends SlotsOf {
  owner: Owner;
}

export type Decided = Exclude<SubmitOutcome, { kind: 'no_slot' }>;

/** Callers of one process who may wait, and of one account. Each of them holds a connection and the body of a request. */
const MAX_WAITING = { capacity: 1000, perOwner: 250 };
/** Callers of one key and family who may wait. */
const MAX_WAITING_PER_LINE = 100;
/** Slots also come free in other processes, which report nothing: the first of a line retries after so long, then less often. */
const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 800;
/** All lines of a process together retry at most once in so long: 100 statements a second. */
const RETRY_SPACING_MS = 10;
/**
 * A process hears of the slots that come free in itself first, and would take them all. So a line that has tried for
 * TURN_MS pauses for PAUSE_MS, which is longer than the lines of other processes wait between two retries.
 */
const TURN_MS = 8_000;
const PAUSE_MS = 900;

interface Line {
  waiting: Waiter[];
  /** A slot came free while the first of the line was submitting, perhaps too late for that submission. */
  isFreed: boolean;
  /** Ends the line's wait for its next retry. */
  resume: () => void;
}

/**
 * Callers who wait for their answer while their key runs as many tasks of the family as it may: first come, first served
 * within this process. Nothing is booked for them. The database alone decides whether there is a slot; this class decides
 * when to ask it.
 */
export class SlotQueue {
  readonly #lines = new Map<string, Line>();
  readonly #waiting = new Slots(MAX_WAITING);
  readonly #retries = new Pacer(RETRY_SPACING_MS);
  readonly #waitMs: number;

  constructor({ waitMs = SLOT_WAIT_SECONDS * 1000 }: { waitMs?: number | undefined } = {}) {
    this.#waitMs = waitMs;
  }

  /**
   * Submits at once where nobody waits, else when it is the caller's turn.
   *
   * @throws GatewayError `rate_limited` when no slot came free in time, or too many wait; CallerLeftError; whatever `submit` throws.
   */
  async take(of: SlotRequest, submit: () => Promise<SubmitOutcome>, connection: CallerConnection): Promise<Decided> {
    if (!this.#lines.has(nameOf(of))) {
      const outcome = await submit();
      if (outcome.kind !== 'no_slot') return outcome;
    }
    return this.#wait(of, submit, connection);
  }

  /** A task that had a slot has ended: the first of the line tries at once. */
  freed(of: SlotsOf): void {
    const line = this.#lines.get(nameOf(of));
    if (line === undefined) return;
    line.isFreed = true;
    line.resume();
  }

  #wait(of: SlotRequest, submit: () => Promise<SubmitOutcome>, connection: CallerConnection): Promise<Decided> {
    const isFull = (this.#lines.get(nameOf(of))?.waiting.length ?? 0) >= MAX_WAITING_PER_LINE;
    const place = isFull ? undefined : this.#waiting.tryTake(of);
    if (place === undefined) return Promise.reject(noSlot());
    const line = this.#lines.get(nameOf(of)) ?? this.#open(nameOf(of));
    return new Promise<Decided>((resolve, reject) => {
      new Waiter({ line, place, submit, connection, waitMs: this.#waitMs, resolve, reject }).join();
    });
  }

  #open(name: string): Line {
    const line: Line = { waiting: [], isFreed: false, resume: () => undefined };
    this.#lines.set(name, line);
    // The line is served after the first waiter has joined.
    queueMicrotask(() => void this.#serve(name, line));
    return line;
  }

  /** The first of the line submits, again and again, until nobody waits. */
  async #serve(name: string, line: Line): Promise<void> {
    let pauseAt = performance.now() + TURN_MS;
    let retryMs = FIRST_RETRY_MS;
    for (let first = line.waiting[0]; first !== undefined; first = line.waiting[0]) {
      line.isFreed = false;
      const hasLeft = await first.submit();
      if (hasLeft || line.isFreed) retryMs = FIRST_RETRY_MS;
      if (performance.now() > pauseAt) {
        await delay(PAUSE_MS);
        pauseAt = performance.now() + TURN_MS;
      } else if (!hasLeft && !line.isFreed) {
        await this.#freedOrRetry(line, retryMs);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      }
    }
    this.#lines.delete(name);
  }

  #freedOrRetry(line: Line, retryMs: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel = () => clearTimeout(timer);
      const timer = setTimeout(() => {
        cancel = this.#retries.add(resolve);
      }, retryMs);
      line.resume = () => {
        cancel();
        resolve();
      };
    });
  }
}

interface WaiterOptions {
  line: Line;
  /** Its place among all who wait. */
  place: { release(): void };
  submit(): Promise<SubmitOutcome>;
  connection: CallerConnection;
  waitMs: number;
  resolve(decided: Decided): void;
  reject(error: unknown): void;
}

/** A caller in a line, until its submission is decided, its time is up or it leaves. */
class Waiter {
  readonly #options: WaiterOptions;
  readonly #timer: NodeJS.Timeout;
  #isSubmitting = false;
  /** Why it waits no longer. A submission under way may be accepted all the same; then the caller gets it. */
  #givenUp: Error | undefined;

  constructor(options: WaiterOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => this.#giveUp(noSlot()), options.waitMs);
  }

  join(): void {
    const { line, connection } = this.#options;
    line.waiting.push(this);
    connection.once('close', this.#onClose);
    if (connection.destroyed) this.#onClose();
  }

  /** Resolves with whether it has left the line. If not, there was no slot. */
  async submit(): Promise<boolean> {
    const { resolve, reject } = this.#options;
    this.#isSubmitting = true;
    const outcome = await this.#options.submit().catch((error: Error) => error);
    this.#isSubmitting = false;
    if (outcome instanceof Error) this.#leave(() => reject(outcome));
    else if (outcome.kind !== 'no_slot') this.#leave(() => resolve(outcome));
    else if (this.#givenUp) this.#leave(() => reject(this.#givenUp));
    else return false;
    return true;
  }

  readonly #onClose = (): void => this.#giveUp(new CallerLeftError());

  #giveUp(error: Error): void {
    this.#givenUp ??= error;
    if (!this.#isSubmitting) this.#leave(() => this.#options.reject(this.#givenUp));
  }

  #leave(settle: () => void): void {
    const { line, place, connection } = this.#options;
    clearTimeout(this.#timer);
    connection.off('close', this.#onClose);
    place.release();
    line.waiting.splice(line.waiting.indexOf(this), 1);
    // An empty line ends at once: the next caller must not wait for its retry.
    if (line.waiting.length === 0) line.resume();
    settle();
  }
}

function nameOf({ keyId, family }: SlotsOf): string {
  return `${keyId} ${family}`;
}

/** The error when a text or speech gets no slot; other tasks wait in their family's queue, without their callers. */
export function noSlot(): GatewayError {
  return new GatewayError('rate_limited', message('too_many_tasks_of_key'), {
    retryAfterSeconds: RETRY_AFTER_NO_SLOT_SECONDS,
    internal: 'max_concurrent of the key',
  });
}

/** Runs functions in the order they were added, one every `everyMs`, so that a process asks no faster than that. */
class Pacer {
  readonly #waiting = new Set<() => void>();
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Returns a function that takes `run` out again. */
  add(run: () => void): () => void {
    this.#waiting.add(run);
    this.#timer ??= setInterval(() => this.#runFirst(), this.#everyMs);
    return () => this.#waiting.delete(run);
  }

  #runFirst(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#waiting.delete(first);
    first();
  }
}
