/** Events from one who makes them to one who reads them, in order; bounded by whoever makes them. */
export interface EventLine<Event> extends AsyncIterable<Event> {
  push(event: Event): void;
  /** Reading ends after what was pushed before. */
  end(): void;
  /** Takes back what was not read yet and is not wanted any more. */
  drop(unwanted: (event: Event) => boolean): void;
}

/** @param onAbandoned called when the reader leaves its loop before the end. */
export function createEventLine<Event>(onAbandoned: () => void): EventLine<Event> {
  let waiting: Event[] = [];
  let ended = false;
  let wake: (() => void) | undefined;

  async function* read(): AsyncGenerator<Event, void, void> {
    try {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift() as Event;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      if (!ended) onAbandoned();
    }
  }

  return {
    push(event) {
      if (ended) return;
      waiting.push(event);
      wake?.();
    },
    end() {
      ended = true;
      wake?.();
    },
    drop(unwanted) {
      waiting = waiting.filter((event) => !unwanted(event));
    },
    [Symbol.asyncIterator]: read,
  };
}
