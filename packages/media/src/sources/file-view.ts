import type { ByteSource } from './byte-source';

/** Read at once: walks through a file go forwards, and mostly in small steps. */
const PIECE_BYTES = 256 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** A file that is walked through: one piece of it is in memory, or all where it is there anyway. */
export class FileView {
  readonly length: number;
  readonly #source: ByteSource;
  readonly #pieceBytes: number;
  #bytes: Buffer;
  /** Where the piece begins in the file. */
  #start = 0;

  constructor(source: ByteSource, pieceBytes = PIECE_BYTES) {
    this.#pieceBytes = pieceBytes;
    this.length = source.totalBytes;
    this.#source = source;
    this.#bytes = source.bytes ?? NO_BYTES;
  }

  /** The piece. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The place within the piece of `count` bytes at `position` in the file; undefined: the piece does not have them all. */
  offsetOf(position: number, count: number): number | undefined {
    const offset = position - this.#start;
    return offset >= 0 && offset + count <= this.#bytes.length ? offset : undefined;
  }

  /** Makes the piece that begins at `position`, and answers its beginning: 0. It is shorter where the file ends. */
  async load(position: number): Promise<number> {
    this.#bytes = await this.#source.read(position, position + this.#pieceBytes);
    this.#start = position;
    // A walk would stand still there.
    if (this.#bytes.length < Math.min(this.#pieceBytes, this.length - position))
      throw new Error('the file has become shorter');
    return 0;
  }
}
