import type { Held } from './share';

/** How long a call to a vendor goes on after its caller has left, so that its outcome and usage are known. */
export const LINGER_MS = 30_000;
/** Calls that go on so: in one process, and of one account in it. Calls beyond are stopped, and settled by what was sent. */
export const LINGERING = { capacity: 64, perOwner: 8 } as const;

/** Lets a call go on for a while after its caller has left. */
export class Linger {
  readonly #takeSlot: () => Pick<Held, 'release'> | undefined;
  readonly #controller = new AbortController();
  #ms = 0;
  #hasLeft = false;
  #slot: Pick<Held, 'release'> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param takeSlot at once, or undefined: there is none for this caller now. */
  constructor(takeSlot: () => Pick<Held, 'release'> | undefined) {
    this.#takeSlot = takeSlot;
  }

  /** Aborts when the call is to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Lets the call go on for so long after its caller has left. 0: it does not go on, and ends at once if the caller has left. */
  set(ms: number): void {
    this.#ms = ms;
    if (ms === 0 && this.#hasLeft) this.stop();
  }

  /** The caller has left. */
  leave(): void {
    this.#hasLeft = true;
    if (this.#ms > 0) this.#slot ??= this.#takeSlot();
    if (this.#ms === 0 || this.#slot === undefined) this.stop();
    else this.#timer ??= setTimeout(() => this.stop(), this.#ms);
  }

  /** Ends the call. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  /** The call is over. */
  end(): void {
    clearTimeout(this.#timer);
    this.#slot?.release();
    this.#slot = undefined;
  }
}
