/** Events in the order they were pushed, for one reader. The side that pushes bounds their number. */
export class EventQueue<Event> implements AsyncIterable<Event> {
  readonly #onAbandoned: () => void;
  #waiting: Event[] = [];
  #hasEnded = false;
  #resumeReader: (() => void) | undefined;

  /** @param onAbandoned called when the reader leaves its loop before the end. */
  constructor(onAbandoned: () => void) {
    this.#onAbandoned = onAbandoned;
  }

  push(event: Event): void {
    if (this.#hasEnded) return;
    this.#waiting.push(event);
    this.#resumeReader?.();
  }

  /** Reading ends after the events that were pushed before. */
  end(): void {
    this.#hasEnded = true;
    this.#resumeReader?.();
  }

  /** Removes unread events that are not wanted any more. */
  drop(isUnwanted: (event: Event) => boolean): void {
    this.#waiting = this.#waiting.filter((event) => !isUnwanted(event));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, void> {
    try {
      for (;;) {
        while (this.#waiting.length > 0) yield this.#waiting.shift() as Event;
        if (this.#hasEnded) return;
        await new Promise<void>((resolve) => {
          this.#resumeReader = resolve;
        });
      }
    } finally {
      if (!this.#hasEnded) this.#onAbandoned();
    }
  }
}
