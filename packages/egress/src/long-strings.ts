import { ByteCollector } from './byte-collector';

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** Receives the content of one string as it passes; escapes are not resolved. */
export interface StringReceiver {
  push(content: Buffer): void;
  /** Returns the content that stands for the string in the JSON. */
  end(): Buffer;
}

export interface LongStringsOptions {
  /** Strings of more bytes are offered to `receive`. */
  longBytes: number;
  /** Gets the JSON without the strings that were taken out of it, in as few pieces as possible. */
  keep(bytes: Buffer): void;
  /** Answers a receiver for the string that begins so; undefined: the string stays in the JSON. Absent: all strings stay. */
  receive?: ((head: Buffer) => StringReceiver | undefined) | undefined;
  /** Looks at the bytes between strings. Returns the index of the next quote, or the chunk's length. Default: only searches. */
  readStructure?(chunk: Buffer, from: number): number;
}

/**
 * Takes long strings out of JSON as its bytes arrive, so that they never pass its parser. Strings are searched for their ends and not
 * looked at byte by byte. It checks no grammar, which is the parser's affair.
 */
export class LongStrings {
  readonly #options: LongStringsOptions;
  /** State of the string that the last byte belonged to: it may be received, is received, or stays in the JSON. */
  #string: 'none' | 'beginning' | 'received' | 'plain' = 'none';
  #stringBytes = 0;
  /** Backslashes before the next byte of the string. */
  #escapes = 0;
  /** The beginning of a string that is not all there yet. */
  #head: ByteCollector | undefined;
  #receiver: StringReceiver | undefined;

  constructor(options: LongStringsOptions) {
    this.#options = options;
  }

  /** Bytes so far of the string that was read last; at a colon that is the name of a field. */
  get stringBytes(): number {
    return this.#stringBytes;
  }

  push(chunk: Buffer): void {
    /** The chunk up to here was kept or received. The rest is kept in as few pieces as possible. */
    let kept = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.#string === 'none') at = this.#readStructure(chunk, at);
      else {
        const end = this.#endOfString(chunk, at);
        this.#stringBytes += end - at;
        if (this.#divert(chunk, { kept, at, end })) kept = end;
        if (end < chunk.length) this.#string = 'none';
        at = end + 1;
      }
    }
    this.#keep(chunk.subarray(kept));
  }

  /** JSON that ended within a string is broken, and its parser says so. */
  end(): void {
    if (this.#head) this.#keep(this.#head.bytes());
  }

  /** @returns where it stopped: behind the quote that begins a string, or at the end. */
  #readStructure(chunk: Buffer, from: number): number {
    const quote = this.#options.readStructure?.(chunk, from) ?? chunk.indexOf(QUOTE, from);
    if (quote < 0 || quote === chunk.length) return chunk.length;
    this.#string = this.#options.receive ? 'beginning' : 'plain';
    this.#stringBytes = 0;
    this.#escapes = 0;
    return quote + 1;
  }

  /** Takes content of a string out of the chunk, with what is to be kept before it, where it is received or may be. */
  #divert(chunk: Buffer, { kept, at, end }: { kept: number; at: number; end: number }): boolean {
    if (this.#string === 'plain') return false;
    const isWhole = end < chunk.length;
    const isShort = isWhole && this.#head === undefined && end - at <= this.#options.longBytes;
    if (this.#string === 'beginning' && isShort) return false;
    this.#keep(chunk.subarray(kept, at));
    const content = chunk.subarray(at, end);
    if (this.#string === 'received') this.#receiver?.push(content);
    else this.#readHead(content, isWhole);
    if (isWhole && this.#receiver) this.#endReceived(this.#receiver);
    return true;
  }

  #readHead(content: Buffer, isWhole: boolean): void {
    this.#head ??= new ByteCollector();
    this.#head.push(content);
    const isLong = this.#head.size > this.#options.longBytes;
    if (!isLong && !isWhole) return;
    const head = this.#head.bytes();
    this.#head = undefined;
    this.#receiver = isLong ? this.#options.receive?.(head) : undefined;
    this.#string = this.#receiver ? 'received' : 'plain';
    if (!this.#receiver) this.#keep(head);
  }

  #endReceived(receiver: StringReceiver): void {
    this.#keep(receiver.end());
    this.#receiver = undefined;
  }

  /** Looks from quote to quote: a quote after an odd number of backslashes is part of the string. */
  #endOfString(chunk: Buffer, from: number): number {
    for (let start = from; ; ) {
      const quote = chunk.indexOf(QUOTE, start);
      const end = quote < 0 ? chunk.length : quote;
      let escapes = 0;
      while (end - escapes > start && chunk[end - 1 - escapes] === BACKSLASH) escapes += 1;
      // Whether those before this place stand alone, or go on from there.
      if (end - escapes === start) escapes += this.#escapes;
      this.#escapes = quote < 0 ? escapes % 2 : 0;
      if (quote < 0 || escapes % 2 === 0) return end;
      start = quote + 1;
    }
  }

  #keep(bytes: Buffer): void {
    if (bytes.length > 0) this.#options.keep(bytes);
  }
}
