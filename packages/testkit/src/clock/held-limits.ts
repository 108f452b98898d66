/** A limit of time, in milliseconds, that passes where a test says so: it never does so by itself while a test runs. */
export const HELD_LIMIT_MS = 3_600_000;

/** Holds the limits of an hour, or of what is left of one, that the code under test sets: in each test of a file or of a `describe`. */
export function holdLimits(): Pick<HeldLimits, 'open' | 'begun' | 'pass'> {
  const held = new HeldLimits();
  beforeEach(() => held.hold());
  afterEach(() => held.letGo());
  return held;
}

const { setTimeout: set, clearTimeout: clear } = globalThis;

class HeldLimits {
  readonly #limits = new Map<unknown, () => void>();
  #begun = 0;
  #waiting: { count: number; resolve(): void }[] = [];

  /** The number of limits that have begun and are not over. */
  open(): number {
    return this.#limits.size;
  }

  /** Resolves once so many have begun in this test. */
  begun(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      this.#tell();
    });
  }

  /** Lets the open limits pass, in the order in which they began. */
  pass(): void {
    for (const [timer, callback] of [...this.#limits]) {
      clearTimeout(timer as NodeJS.Timeout);
      callback();
    }
  }

  hold(): void {
    [this.#begun, this.#waiting] = [0, []];
    globalThis.setTimeout = ((callback: () => void, ms: number, ...rest: unknown[]) => {
      const timer = Reflect.apply(set, globalThis, [callback, ms, ...rest]);
      if (ms <= HELD_LIMIT_MS / 2) return timer;
      this.#limits.set(timer, callback);
      this.#begun += 1;
      this.#tell();
      return timer;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (timer) => {
      this.#limits.delete(timer);
      clear(timer);
    };
  }

  letGo(): void {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    for (const timer of this.#limits.keys()) clear(timer as NodeJS.Timeout);
    this.#limits.clear();
  }

  #tell(): void {
    for (const { count, resolve } of this.#waiting) if (this.#begun >= count) resolve();
  }
}
