import { Readable } from 'node:stream';
import { AnswerChunks } from './answer-chunks';

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

const GIVEN_UP = 'the answer was given up';

interface Collector {
  take: TakeBytes;
  resolve(bytes: Buffer): void;
  reject(error: unknown): void;
}

/**
 * The bytes of one answer, from the exchange to whoever reads them: piece by piece as a stream, as they came, or all of them. A stream is only made
 * where one is asked for: to make and to end it takes longer than all else that is done with a short answer.
 */
export class AnswerBody {
  readonly #source: AnswerSource;
  /** Chunks that have come and are not read yet. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isComplete = false;
  #error: Error | undefined;
  #stream: Readable | undefined;
  #iterated: AnswerChunks | undefined;
  #collector: Collector | undefined;

  constructor(source: AnswerSource) {
    this.#source = source;
  }

  /** Ends when the answer is complete, else breaks. Whoever has it must read it to its end or destroy it, which ends the call. */
  stream(): Readable {
    this.#stream ??= this.#open();
    return this.#stream;
  }

  /** Each piece as it came, in place of `stream`. Whoever has it must read it to its end or leave its loop, which ends the call. */
  chunks(): AnswerChunks {
    this.#iterated ??= this.#openChunks();
    return this.#iterated;
  }

  /** All bytes, once the answer is complete. What `take` throws ends the call, and is thrown. */
  whole(take: TakeBytes): Promise<Buffer> {
    if (this.#stream !== undefined) return collectStream(this.#stream, take);
    return new Promise((resolve, reject) => {
      const collector = { take, resolve, reject };
      const early = this.#chunks;
      this.#chunks = [];
      this.#collector = collector;
      if (!early.every((chunk) => this.#collect(collector, chunk))) return;
      if (this.#error !== undefined) this.break(this.#error);
      else if (this.#isComplete) this.end();
      else this.#source.resume();
    });
  }

  /** Ends the call, if nobody has read it to its end: whoever reads, or begins to, learns that it was given up. */
  close(): void {
    if (this.#stream !== undefined) this.#stream.destroy();
    else if (this.#isComplete && this.#iterated === undefined) this.#source.leave();
    else this.break(new Error(GIVEN_UP));
  }

  /** False: whoever reads is to catch up first. */
  push(chunk: Buffer): boolean {
    if (this.#stream !== undefined) return this.#stream.push(chunk);
    if (this.#iterated !== undefined) return this.#iterated.push(chunk);
    if (this.#collector !== undefined) {
      this.#collect(this.#collector, chunk);
      return true;
    }
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes < BUFFERED_BYTES;
  }

  end(): void {
    this.#isComplete = true;
    if (this.#stream !== undefined) this.#stream.push(null);
    this.#iterated?.end();
    if (this.#collector === undefined) return;
    this.#source.leave();
    this.#collector.resolve(joined(this.#chunks));
  }

  break(error: Error): void {
    this.#error ??= error;
    if (this.#stream !== undefined) this.#stream.destroy(error);
    else this.#source.leave();
    this.#iterated?.break(error);
    this.#collector?.reject(error);
  }

  /** False: there is nothing more to collect. */
  #collect({ take, reject }: Collector, chunk: Buffer): boolean {
    try {
      take(chunk);
      this.#chunks.push(chunk);
      return true;
    } catch (error) {
      reject(error);
      this.#source.leave();
      return false;
    }
  }

  #openChunks(): AnswerChunks {
    const chunks = new AnswerChunks({
      maxUnreadBytes: BUFFERED_BYTES,
      onDemand: () => this.#source.resume(),
      onEnd: () => this.#source.leave(),
    });
    for (const chunk of this.#chunks) chunks.push(chunk);
    this.#chunks = [];
    if (this.#error !== undefined) chunks.break(this.#error);
    else if (this.#isComplete) chunks.end();
    return chunks;
  }

  #open(): Readable {
    const stream = new Readable({
      highWaterMark: BUFFERED_BYTES,
      read: () => this.#source.resume(),
      destroy: (error, done) => {
        this.#source.leave();
        done(error);
      },
    });
    // Whoever reads gets the error from reading; an event for nobody would end the process.
    stream.on('error', () => {});
    for (const chunk of this.#chunks) stream.push(chunk);
    this.#chunks = [];
    if (this.#error !== undefined) stream.destroy(this.#error);
    else if (this.#isComplete) stream.push(null);
    return stream;
  }
}

/** By its events: to iterate over a stream costs more than all else that is done with a short answer. */
export function collectStream(stream: Readable, take: TakeBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    function fail(error: unknown): void {
      reject(error);
      stream.destroy();
    }
    stream.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    });
    stream.on('end', () => resolve(joined(chunks)));
    stream.on('error', fail);
    // After its end this changes nothing.
    stream.on('close', () => reject(new Error(GIVEN_UP)));
    // Destroyed before anybody listened: it has no other event any more.
    if (stream.destroyed) fail(stream.errored ?? new Error(GIVEN_UP));
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
