import { setImmediate } from 'node:timers/promises';
import type { ByteSource } from '@mediagate/media';

const PIECE_BYTES = 64 * 1024;
/** Bytes that are in memory come without a turn of the event loop. So many headers are read in a millisecond or two. */
const READS_A_TURN = 200;
const NO_BYTES = Buffer.alloc(0);

/** Bytes of a file from `start` up to, not including, `end`. */
export interface Range {
  start: number;
  end: number;
}

/** Reads headers of a file that is walked through. One piece of the file is in memory. */
export class PieceReader {
  readonly totalBytes: number;
  readonly #source: ByteSource;
  #piece: Buffer = NO_BYTES;
  #start = 0;
  #reads = 0;

  constructor(source: ByteSource) {
    this.#source = source;
    this.totalBytes = source.totalBytes;
  }

  /** Returns fewer bytes where the file ends before. */
  async read(start: number, bytes: number): Promise<Buffer> {
    this.#reads += 1;
    if (this.#reads % READS_A_TURN === 0) await setImmediate();
    const offset = start - this.#start;
    if (offset >= 0 && offset + bytes <= this.#piece.length) return this.#piece.subarray(offset, offset + bytes);
    this.#piece = await this.#source.read(start, start + Math.max(bytes, PIECE_BYTES));
    this.#start = start;
    return this.#piece.subarray(0, bytes);
  }

  /** Returns the bytes of all ranges together. @throws CarrierError if they are more than `maxBytes`, or beyond the file */
  async readAll(ranges: readonly Range[], maxBytes: number): Promise<Buffer> {
    const bytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    if (bytes > maxBytes) throw new CarrierError(`it has ${bytes} bytes, and at most ${maxBytes} are read`);
    if (ranges.length > MAX_RANGES) throw new CarrierError(`it is in more than ${MAX_RANGES} pieces`);
    const parts: Buffer[] = [];
    for (const { start, end } of ranges) parts.push(await this.#source.read(start, end));
    const whole = Buffer.concat(parts);
    if (whole.length < bytes) throw new CarrierError('the file ends within it');
    return whole;
  }
}

/** Something in the file cannot be read as what it is called. The message may be shown to callers. */
export class CarrierError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CarrierError';
  }
}

/** A JPEG has a statement in pieces of up to 64 kB. */
const MAX_RANGES = 1000;

/** A file may claim millions of chunks: a walk that is longer than any real file's ends here. */
export const MAX_PARTS = 20_000;
