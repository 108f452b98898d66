export interface GateTiming {
  /** How long a suspect waits for the calls in flight. */
  quietWithinMs: number;
  /** A suspect that takes longer has others beside it. */
  maxTurnMs: number;
}

const TIMING: GateTiming = { quietWithinMs: 10_000, maxTurnMs: 60_000 };
/** No suspect asks again for so many times as long as calls were kept back. */
const REST_TIMES = 4;

/**
 * One of a process, for all families that it works for. Keeps two things apart: calls that are paid for and can neither be repeated nor
 * looked up, whose outcome a death would leave unknown; and suspects, tasks by which the process may die. A suspect has its turn once no
 * such call is in flight. New ones are kept back while it waits, for 10 s at most, and while it runs, for 60 s at most. After that all
 * suspects are turned away for four times as long: such calls begin for at least four fifths of the time, however many suspects there
 * are. Nothing else is ever kept back.
 */
export class StepGate {
  readonly #timing: GateTiming;
  #calls = 0;
  #isClosed = false;
  #hasSuspect = false;
  #restsUntil = 0;
  #onQuiet: () => void = () => undefined;

  constructor(timing: GateTiming = TIMING) {
    this.#timing = timing;
  }

  /** How long `alone` takes at most to answer that it is not its turn. */
  get quietWithinMs(): number {
    return this.#timing.quietWithinMs;
  }

  /** Whether new calls are kept back. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Undefined: the call is kept back. Else to be called once its outcome is written down. */
  enter(): (() => void) | undefined {
    if (this.#isClosed) return undefined;
    this.#calls += 1;
    return () => {
      this.#calls -= 1;
      if (this.#calls === 0) this.#onQuiet();
    };
  }

  /** Answers what the step does; undefined: it is not its turn, and nothing was run. */
  async alone<Answer>(step: () => Promise<Answer>): Promise<{ answer: Answer } | undefined> {
    if (this.#hasSuspect || performance.now() < this.#restsUntil) return undefined;
    this.#hasSuspect = true;
    const open = this.#close();
    try {
      if (!(await this.#quiet())) return undefined;
      const tooLong = setTimeout(open, this.#timing.maxTurnMs);
      return { answer: await step().finally(() => clearTimeout(tooLong)) };
    } finally {
      open();
      this.#hasSuspect = false;
    }
  }

  #close(): () => void {
    const closedAt = performance.now();
    this.#isClosed = true;
    return () => {
      if (!this.#isClosed) return;
      this.#isClosed = false;
      const now = performance.now();
      this.#restsUntil = now + (now - closedAt) * REST_TIMES;
    };
  }

  /** False: a call is still in flight. */
  #quiet(): Promise<boolean> {
    if (this.#calls === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const tooLate = setTimeout(() => resolve(false), this.#timing.quietWithinMs);
      this.#onQuiet = () => {
        clearTimeout(tooLate);
        resolve(true);
      };
    });
  }
}
