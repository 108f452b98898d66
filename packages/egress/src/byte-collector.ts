/** Shorter pieces are copied together: each buffer costs some hundred bytes beside its own, and callers choose the pieces. */
const SHORT_BYTES = 4096;
const BLOCK_BYTES = 16 * 1024;

/** Bytes that arrive in pieces of any size, held in little more memory than they have. */
export class ByteCollector {
  readonly #pieces: Buffer[] = [];
  /** The last piece until it is full, and how much of it is used. */
  #block: Buffer | undefined;
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(piece: Buffer): void {
    this.#size += piece.length;
    // A body that arrives in one piece is never copied.
    if (piece.length > SHORT_BYTES || this.#size === piece.length) {
      this.#closeBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#block === undefined || this.#used + piece.length > BLOCK_BYTES) {
      this.#closeBlock();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    }
    piece.copy(this.#block, this.#used);
    this.#used += piece.length;
  }

  bytes(): Buffer {
    this.#closeBlock();
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && first) return first;
    const all = Buffer.concat(this.#pieces);
    this.#pieces.splice(0, this.#pieces.length, all);
    return all;
  }

  #closeBlock(): void {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
