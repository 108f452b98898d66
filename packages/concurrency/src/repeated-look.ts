export interface RepeatedLookOptions {
  /** The pause from the end of one look to the next. */
  everyMs: number;
  /** The first look, or one after a pause of that length, comes at once. Default: after `everyMs`. */
  firstAtOnce?: boolean;
  /** A look that is to come does not keep the process alive. */
  unref?: boolean;
  /** False: there is nothing to look at, and nothing runs until `start` is called. */
  isWanted(): boolean;
  look(): Promise<void>;
  /**
   * Called for the first of several failures in a row, and then twice a minute: an outage has as many as looks. The next look comes all
   * the same.
   */
  onError(error: unknown): void;
}

/** The pause between two reports of looks that fail one after the other. */
const REPORT_MS = 30_000;

/** Looks again and again while there is something to look at, never twice at once: one look serves all who wait in a process. */
export class RepeatedLook {
  readonly #options: RepeatedLookOptions;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isStopped = false;
  #reportAt = 0;
  /** The end of the last look; at first before everything, so that the first look does not wait for another. */
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RepeatedLookOptions) {
    this.#options = options;
  }

  /** Call it when there is something to look at; more than once does no harm. */
  start(): void {
    if (this.#timer || this.#isLooking || this.#isStopped || !this.#options.isWanted()) return;
    this.#timer = setTimeout(() => void this.#look(), this.#pauseMs());
    if (this.#options.unref) this.#timer.unref();
  }

  #pauseMs(): number {
    const { everyMs, firstAtOnce = false } = this.#options;
    return firstAtOnce ? Math.max(0, this.#endedAt + everyMs - performance.now()) : everyMs;
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
      this.#reportAt = 0;
    } catch (error) {
      this.#report(error);
    } finally {
      this.#isLooking = false;
      this.#endedAt = performance.now();
      this.start();
    }
  }

  #report(error: unknown): void {
    if (performance.now() < this.#reportAt) return;
    this.#reportAt = performance.now() + REPORT_MS;
    this.#options.onError(error);
  }
}
