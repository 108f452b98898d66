import type { FinishRequest, Submission } from '@mediagate/billing';
import { OpenItems, type Place } from '@mediagate/concurrency';
import type { TaskId } from '@mediagate/contracts';
import type { StopReason } from '@mediagate/database';

/** Fence and deadline are the task's own. */
export type SettledTask = Pick<FinishRequest, 'taskId' | 'accountId' | 'outcome' | 'calls'> & {
  model: string;
  /** The booked submission; absent if the booking may have failed. */
  submission?: Submission;
};

export interface SettlementWatch {
  settled(): void;
  stop(why: StopReason): void;
  endNow(): SettledTask;
}

/** A text from before its booking until its end is written or given up. */
export class OpenText {
  readonly taskId: TaskId;
  watch: SettlementWatch | undefined;
  /** Undefined: its booking is under way, or waits for a slot of its key. */
  place: Place<OpenText> | undefined;
  /** Undefined: it goes on. */
  settled: SettledTask | undefined;
  isOver = false;
  /** Each is called once it is over. */
  readonly whenOver: (() => void)[] = [];

  constructor(taskId: TaskId) {
    this.taskId = taskId;
  }

  /** How it ends if this process is gone now; undefined: that is not known. */
  endNow(): SettledTask | undefined {
    return this.settled ?? this.watch?.endNow();
  }
}

/** The texts of a process that are not over. */
export class OpenTexts {
  readonly #inFlight = new OpenItems<OpenText>();
  #unbooked = 0;
  #onEmpty: () => void = () => undefined;

  /** Booked, or perhaps booked. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  get size(): number {
    return this.#unbooked + this.#inFlight.size;
  }

  begin(taskId: TaskId): OpenText {
    this.#unbooked += 1;
    return new OpenText(taskId);
  }

  /** It is in flight from here on. */
  book(text: OpenText, watch?: SettlementWatch): void {
    if (text.place !== undefined || text.isOver) return;
    this.#unbooked -= 1;
    text.watch = watch;
    text.place = this.#inFlight.add(text);
  }

  end(text: OpenText): void {
    if (text.isOver) return;
    text.isOver = true;
    if (text.place === undefined) this.#unbooked -= 1;
    else this.#inFlight.remove(text.place);
    text.watch?.settled();
    for (const resolve of text.whenOver) resolve();
    if (this.size === 0) this.#onEmpty();
  }

  /** Texts in flight. */
  all(): OpenText[] {
    return [...this.#inFlight];
  }

  /** Texts of the account that have ended, and whose ends are being written. Goes through all of them: few callers lack money. */
  settling(accountId: string): OpenText[] {
    const found: OpenText[] = [];
    for (const text of this.#inFlight) if (text.settled?.accountId === accountId) found.push(text);
    return found;
  }

  /** Goes through all of them: few are stopped. */
  stop(taskId: TaskId, why: StopReason): void {
    for (const text of this.#inFlight) if (text.taskId === taskId) text.watch?.stop(why);
  }

  /** Resolves once none is left. */
  emptied(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
