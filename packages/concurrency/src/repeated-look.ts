export interface RepeatedLookOptions {
  /** From the end of one look to the next. */
  everyMs: number;
  /** False: there is nothing to look at, and nothing runs until `start` is called. */
  isWanted(): boolean;
  look(): Promise<void>;
  /** The next look comes all the same. */
  onError(error: unknown): void;
}

/** Looks again and again while there is something to look at, never twice at once: one look serves all who wait in a process. */
export class RepeatedLook {
  readonly #options: RepeatedLookOptions;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isStopped = false;

  constructor(options: RepeatedLookOptions) {
    this.#options = options;
  }

  /** To be called when there is something to look at; more than once does no harm. */
  start(): void {
    if (this.#timer || this.#isLooking || this.#isStopped || !this.#options.isWanted()) return;
    this.#timer = setTimeout(() => void this.#look(), this.#options.everyMs);
  }

  /** Looks no more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    this.#isLooking = true;
    try {
      await this.#options.look();
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isLooking = false;
      this.start();
    }
  }
}
