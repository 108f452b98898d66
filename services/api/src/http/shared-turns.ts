/** Requests within so many milliseconds that make a process busy. */
const BUSY_REQUESTS = 8;
const WINDOW_MS = 10;

/**
 * A busy process goes on with all requests of one turn of the event loop together, once all of them have been read: their answers then
 * go out one after the other, and their statements share what they can. A request that comes alone does not wait.
 */
export class SharedTurns {
  #turn: Promise<void> | undefined;
  #since = 0;
  #requests = 0;

  /** Undefined: go on at once. */
  join(now = performance.now()): Promise<void> | undefined {
    if (this.#turn !== undefined) return this.#turn;
    if (now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#requests = 0;
    }
    this.#requests += 1;
    if (this.#requests < BUSY_REQUESTS) return undefined;
    this.#turn = new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        resolve();
      });
    });
    return this.#turn;
  }
}
