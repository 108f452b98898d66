interface AnswerChunksOptions {
  /** Unread bytes beyond which nothing more is asked for. */
  maxUnreadBytes: number;
  /** The reader wants more. */
  onDemand(): void;
  /** The reader has come to the end, or has left. */
  onEnd(): void;
}

interface Reader {
  resolve(result: IteratorResult<Buffer, undefined>): void;
  reject(error: Error): void;
}

/**
 * The bytes of an answer chunk by chunk as they came, for one reader. A stream would copy those that wait into one, and make several promises
 * of each.
 */
export class AnswerChunks implements AsyncIterableIterator<Buffer, undefined> {
  readonly #options: AnswerChunksOptions;
  readonly #unread: Buffer[] = [];
  #unreadBytes = 0;
  #reader: Reader | undefined;
  #isComplete = false;
  #error: Error | undefined;

  constructor(options: AnswerChunksOptions) {
    this.#options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** False: the reader is to catch up first. */
  push(chunk: Buffer): boolean {
    const reader = this.#takeReader();
    if (reader) {
      reader.resolve({ done: false, value: chunk });
    } else {
      this.#unread.push(chunk);
      this.#unreadBytes += chunk.length;
    }
    return this.#unreadBytes < this.#options.maxUnreadBytes;
  }

  end(): void {
    this.#isComplete = true;
    this.#takeReader()?.resolve(this.#finish());
  }

  /** Drops unread chunks, as a stream does. */
  break(error: Error): void {
    this.#error ??= error;
    this.#unread.length = 0;
    this.#takeReader()?.reject(this.#error);
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const chunk = this.#unread.shift();
    if (chunk !== undefined) {
      this.#unreadBytes -= chunk.length;
      if (this.#unreadBytes < this.#options.maxUnreadBytes) this.#options.onDemand();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#error) return Promise.reject(this.#error);
    if (this.#isComplete) return Promise.resolve(this.#finish());
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#options.onDemand();
    });
  }

  /** The reader leaves: nobody is to wait for more of it, or to ask a call for more that has ended. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#unread.length = 0;
    this.#isComplete = true;
    const finished = this.#finish();
    this.#takeReader()?.resolve(finished);
    return Promise.resolve(finished);
  }

  #takeReader(): Reader | undefined {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }

  #finish(): IteratorResult<Buffer, undefined> {
    this.#options.onEnd();
    return { done: true, value: undefined };
  }
}
