/** Runs functions in the order they were added, one every `everyMs`, so that a process asks no faster than that. */
export class Pacer {
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
