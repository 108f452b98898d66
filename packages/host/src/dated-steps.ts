/** A step that operators have set for a moment. */
interface DatedStep {
  id: bigint | string;
  effectiveInMs: number;
}

/**
 * The steps that operators have set, as a process knows them, each from its moment on. A step that has taken effect here stays in effect,
 * however the next reading of the database's clock turns out.
 */
export class DatedSteps<Step extends DatedStep, State> {
  readonly #fold: (begun: readonly Step[]) => State;
  readonly #fingerprintOf: (state: State) => string;
  #steps: readonly { step: Step; atMs: number }[] = [];
  #state: State;
  /** Until then `#state` is that of now, by the process's own clock. */
  #untilMs = Number.POSITIVE_INFINITY;

  /** @param fold what steps come to, in the order of their moments. @param fingerprintOf the same for states that are the same. */
  constructor(fold: (begun: readonly Step[]) => State, fingerprintOf: (state: State) => string) {
    this.#fold = fold;
    this.#fingerprintOf = fingerprintOf;
    this.#state = fold([]);
  }

  /** @param steps in the order of their moments. @param askedAtMs the process's clock as the database answered. */
  replace(steps: readonly Step[], askedAtMs: number): void {
    const moments = new Map(this.#steps.map(({ step, atMs }) => [step.id, atMs]));
    this.#steps = steps.map((step) => ({ step, atMs: moments.get(step.id) ?? askedAtMs + step.effectiveInMs }));
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  /** The state that counts: the same object until it changes. */
  at(nowMs: number): State {
    if (nowMs < this.#untilMs) return this.#state;
    const state = this.#fold(this.#steps.flatMap(({ step, atMs }) => (atMs <= nowMs ? [step] : [])));
    if (this.#fingerprintOf(state) !== this.#fingerprintOf(this.#state)) this.#state = state;
    this.#untilMs = Math.min(...this.#steps.map(({ atMs }) => atMs).filter((atMs) => atMs > nowMs));
    return this.#state;
  }
}
