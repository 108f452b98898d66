/** A file that came as a data URL; judged by `judgeDataUrl` once it is known what it is for. */
export interface InlineFile {
  /** As the URL declares it. */
  contentType: string;
  /** Undefined: it is not base64 to the letter. */
  bytes: Buffer | undefined;
}

const PREFIX = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/;
const [MINUS, UNDERSCORE, BACKSLASH] = ['-', '_', '\\'];
/** Characters that are decoded at once: pieces of single bytes would cost a buffer each. */
const MIN_PIECE = 8192;
/** Of an escape in JSON: a backslash, `u` and four digits. */
const LONGEST_ESCAPE = 6;

const MAX_PREFIX_CHARACTERS = 100;

/**
 * Decodes a data URL that comes in pieces, as the content of a string of JSON: escapes are resolved. Strict as
 * `decodeDataUrl`; what is not base64 is dropped, and reported at the end.
 */
export class DataUrlReader {
  readonly contentType: string;
  readonly #onBytes: (bytes: Buffer) => void;
  /** Not decoded yet, and before it what may be part of an escape or of four letters. */
  #text = '';
  #padded = false;
  #valid = true;
  #size = 0;

  /** Undefined where the string does not begin as a data URL. */
  static begin(head: string, onBytes: (bytes: Buffer) => void): DataUrlReader | undefined {
    const cut = escapeStart(head);
    const resolved = resolveEscapes(head.slice(0, cut));
    const [prefix, contentType] = PREFIX.exec(resolved?.slice(0, MAX_PREFIX_CHARACTERS) ?? '') ?? [];
    if (resolved === undefined || prefix === undefined || contentType === undefined) return undefined;
    const reader = new DataUrlReader(contentType, onBytes);
    reader.push(resolved.slice(prefix.length) + head.slice(cut));
    return reader;
  }

  private constructor(contentType: string, onBytes: (bytes: Buffer) => void) {
    this.contentType = contentType;
    this.#onBytes = onBytes;
  }

  push(piece: string): void {
    if (!this.#valid) return;
    this.#text += piece;
    if (this.#text.length >= MIN_PIECE) this.#decode(false);
  }

  /** True when all of it was base64. */
  end(): boolean {
    this.#decode(true);
    return this.#valid && this.#text === '' && this.#size > 0;
  }

  #decode(isLast: boolean): void {
    const cut = isLast ? this.#text.length : escapeStart(this.#text);
    const text = resolveEscapes(this.#text.slice(0, cut));
    if (!this.#valid || text === undefined) {
      this.#refuse();
      return;
    }
    const whole = text.length - (text.length % 4);
    this.#take(text.slice(0, whole));
    this.#text = text.slice(whole) + this.#text.slice(cut);
  }

  /** Full groups of four letters. What Node's decoder would skip, or read in another alphabet, makes them shorter or shows. */
  #take(letters: string): void {
    if (letters === '') return;
    const padding = letters.endsWith('==') ? 2 : letters.endsWith('=') ? 1 : 0;
    const bytes = Buffer.from(letters, 'base64');
    const isWhole = bytes.length === (letters.length / 4) * 3 - padding;
    // The last letters must not carry bits that decoding drops, or one file would have several spellings.
    const isCanonical = padding === 0 || bytes.subarray(padding - 3).toString('base64') === letters.slice(-4);
    if (this.#padded || !isWhole || !isCanonical || letters.includes(MINUS) || letters.includes(UNDERSCORE)) {
      this.#refuse();
      return;
    }
    this.#padded = padding > 0;
    this.#size += bytes.length;
    this.#onBytes(bytes);
  }

  #refuse(): void {
    this.#valid = false;
    this.#text = '';
  }
}

/** Where an escape begins that may not be complete; the length where there is none. */
function escapeStart(text: string): number {
  const at = text.indexOf(BACKSLASH, Math.max(0, text.length - LONGEST_ESCAPE + 1));
  return at < 0 ? text.length : at;
}

function resolveEscapes(text: string): string | undefined {
  if (!text.includes(BACKSLASH)) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // Not even an escape: then it is no base64 either.
    return undefined;
  }
}
