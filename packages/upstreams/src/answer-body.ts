/** Unread bytes beyond which reading from the vendor pauses. One read of the socket may come on top. */
const BUFFERED_BYTES = 64 * 1024;

/** The exchange that an answer comes by. */
export interface AnswerSource {
  /** Whoever reads wants more. */
  resume(): void;
  /** Nobody reads any more: ends the call, if it is not over. */
  leave(): void;
}

/** Gets each piece of an answer before it is kept; throws where it would exceed the limit. */
export type TakeBytes = (chunk: Buffer) => void;

/** The bytes of an answer, for one reader: piece by piece as they came, or all of them. Leaving a loop over them early ends the call. */
export interface AnswerBytes extends AsyncIterable<Buffer> {
  /** All bytes, once the answer is complete. What `take` throws ends the call, and is thrown. */
  whole(take: TakeBytes): Promise<Buffer>;
  /** Ends the call, if its answer has not come to its end: whoever reads, or begins to, learns that it was given up. */
  close(): void;
}

interface Reader {
  resolve(result: IteratorResult<Buffer, undefined>): void;
  reject(error: Error): void;
}

/** The bytes of one answer, from the exchange to whoever reads them. A stream would copy those that wait into one, and make several promises of each. */
export class AnswerBody implements AnswerBytes, AsyncIterableIterator<Buffer, undefined> {
  readonly #source: AnswerSource;
  readonly #unread: Buffer[] = [];
  #unreadBytes = 0;
  #reader: Reader | undefined;
  #isComplete = false;
  #error: Error | undefined;
  #onBreak: (error: Error) => void = () => undefined;

  constructor(source: AnswerSource) {
    this.#source = source;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  whole(take: TakeBytes): Promise<Buffer> {
    return collect(this, take);
  }

  /** @param error what a reader learns. */
  close(error = new Error('the answer was given up')): void {
    if (this.#isComplete) this.#source.leave();
    else this.break(error);
  }

  /** False: whoever reads is to catch up first. */
  push(chunk: Buffer): boolean {
    const reader = this.#takeReader();
    if (reader) {
      reader.resolve({ done: false, value: chunk });
    } else {
      this.#unread.push(chunk);
      this.#unreadBytes += chunk.length;
    }
    return this.#unreadBytes < BUFFERED_BYTES;
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
    this.#onBreak(this.#error);
    this.#source.leave();
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const chunk = this.#unread.shift();
    if (chunk !== undefined) {
      this.#unreadBytes -= chunk.length;
      if (this.#unreadBytes < BUFFERED_BYTES) this.#source.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#error) return Promise.reject(this.#error);
    if (this.#isComplete) return Promise.resolve(this.#finish());
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#source.resume();
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

  /** Resolves once the reader has done what must come before the next piece; rejects as soon as the answer breaks. */
  during(work: Promise<unknown>): Promise<unknown> {
    if (this.#error) return Promise.reject(this.#error);
    return new Promise((resolve, reject) => {
      this.#onBreak = reject;
      work.then(resolve, reject);
    });
  }

  #takeReader(): Reader | undefined {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }

  #finish(): IteratorResult<Buffer, undefined> {
    this.#source.leave();
    return { done: true, value: undefined };
  }
}

/** All of the bytes in one, each piece shown to `take` first. What it throws ends the call, and is thrown. */
export async function collect(pieces: AsyncIterable<Buffer>, take: TakeBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of pieces) {
    take(chunk);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/**
 * Why an answer that had begun is not complete: the caller's signal, the reader's deadline, the vendor's silence, an end before its
 * end, more bytes than were asked for, or no byte at all.
 */
export class BrokenAnswerError extends Error {
  readonly why: 'aborted' | 'deadline' | 'stalled' | 'cut' | 'too_large' | 'empty';
  /** The system's error code, as `ECONNRESET`; never an address, a header or a body. */
  readonly code: string | undefined;

  constructor(why: BrokenAnswerError['why'], code?: string) {
    super(`the answer broke off: ${why}${code === undefined ? '' : ` ${code}`}`);
    this.name = 'BrokenAnswerError';
    this.why = why;
    this.code = code;
  }
}
