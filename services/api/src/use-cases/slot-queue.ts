import { setTimeout as delay } from 'node:timers/promises';
import type { SubmitOutcome } from '@mediagate/billing';
import { type Family, GatewayError } from '@mediagate/contracts';
import type { Response } from 'express';
import { CallerLeftError } from '../http/body-bytes';
import { RETRY_AFTER_NO_SLOT_SECONDS, SLOT_WAIT_SECONDS } from '../request-limits';

/** The tasks that share one limit. */
export interface SlotsOf {
  keyId: string;
  family: Family;
}

export type Decided = Exclude<SubmitOutcome, { kind: 'no_slot' }>;

/** Callers of one key, and of one process, who may wait. */
const MAX_WAITING_PER_KEY = 100;
const MAX_WAITING = 1000;
/** How often the first of a line tries by itself: slots also come free in other processes. */
const TRY_EVERY_MS = 200;
/** A process takes the slots that come free in it at once for so long, and then leaves them to the others' next try. */
const [KEEPS_MS, LEAVES_MS] = [2500, 250];

interface Line {
  waiting: Waiter[];
  /** A slot came free while the first was trying. */
  isFreed: boolean;
  wake: () => void;
}

interface Waiter {
  /** False: there was no slot. */
  submit(): Promise<boolean>;
}

/**
 * Callers who wait for the answer, and whose key runs as many tasks of the family as it may: first come, first served within
 * this process. Nothing is booked for them. The database says whether there is a slot; what is known here only says when to ask it.
 */
export class SlotQueue {
  readonly #lines = new Map<string, Line>();
  readonly #waitMs: number;
  #waiting = 0;

  constructor({ waitMs = SLOT_WAIT_SECONDS * 1000 }: { waitMs?: number } = {}) {
    this.#waitMs = waitMs;
  }

  /**
   * Submits at once where nobody waits, else when it is the caller's turn.
   *
   * @throws GatewayError `rate_limited` when no slot came free in time, or too many wait; CallerLeftError; whatever `submit` throws.
   */
  async take(of: SlotsOf, submit: () => Promise<SubmitOutcome>, response: Response): Promise<Decided> {
    const name = nameOf(of);
    if (!this.#lines.has(name)) {
      const outcome = await submit();
      if (outcome.kind !== 'no_slot') return outcome;
    }
    return this.#wait(name, submit, response);
  }

  /** A task has ended: whoever waits tries at once. */
  freed(of: SlotsOf): void {
    const line = this.#lines.get(nameOf(of));
    if (line === undefined) return;
    line.isFreed = true;
    line.wake();
  }

  #wait(name: string, submit: () => Promise<SubmitOutcome>, response: Response): Promise<Decided> {
    const line = this.#lines.get(name) ?? this.#open(name);
    if (this.#waiting >= MAX_WAITING || line.waiting.length >= MAX_WAITING_PER_KEY) return Promise.reject(noSlot());
    this.#waiting += 1;
    return new Promise<Decided>((resolve, reject) => {
      let isSubmitting = false;
      let givenUp: Error | undefined;
      const giveUp = (error: Error) => {
        givenUp ??= error;
        // What is on its way to the books may be accepted, and is the caller's then.
        if (!isSubmitting) leave(() => reject(givenUp));
      };
      const onClose = () => giveUp(new CallerLeftError());
      const timer = setTimeout(() => giveUp(noSlot()), this.#waitMs);
      const waiter: Waiter = {
        async submit() {
          isSubmitting = true;
          const outcome = await submit().catch((error: Error) => error);
          isSubmitting = false;
          if (outcome instanceof Error) leave(() => reject(outcome));
          else if (outcome.kind !== 'no_slot') leave(() => resolve(outcome));
          else if (givenUp) leave(() => reject(givenUp));
          else return false;
          return true;
        },
      };
      const leave = (settle: () => void) => {
        clearTimeout(timer);
        response.off('close', onClose);
        this.#waiting -= 1;
        line.waiting.splice(line.waiting.indexOf(waiter), 1);
        settle();
      };
      line.waiting.push(waiter);
      response.once('close', onClose);
      if (response.destroyed) onClose();
    });
  }

  #open(name: string): Line {
    const line: Line = { waiting: [], isFreed: false, wake: () => undefined };
    this.#lines.set(name, line);
    // After the first waiter has joined.
    queueMicrotask(() => void this.#serve(name, line));
    return line;
  }

  /** The first in line tries, again and again, until nobody waits. */
  async #serve(name: string, line: Line): Promise<void> {
    let keepsUntil = performance.now() + KEEPS_MS;
    for (let first = line.waiting[0]; first !== undefined; first = line.waiting[0]) {
      line.isFreed = false;
      const hadTurn = await first.submit();
      if (performance.now() > keepsUntil) {
        await delay(LEAVES_MS);
        keepsUntil = performance.now() + KEEPS_MS;
      } else if (!hadTurn && !line.isFreed) await freedOrTime(line);
    }
    this.#lines.delete(name);
  }
}

function freedOrTime(line: Line): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, TRY_EVERY_MS);
    line.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

function nameOf({ keyId, family }: SlotsOf): string {
  return `${keyId} ${family}`;
}

/** Of texts and speeches alone: what works on its own waits without its caller. */
export function noSlot(): GatewayError {
  return new GatewayError(
    'rate_limited',
    'The API key runs as many of these tasks at once as it may. Please try again.',
    {
      retryAfterSeconds: RETRY_AFTER_NO_SLOT_SECONDS,
      internal: 'max_concurrent of the key',
    },
  );
}
