const [EQUALS, LINE_FEED, CARRIAGE_RETURN] = ['=', '\n', '\r'];
/** Encoders of mail and of shells break lines. */
const LINE_BREAKS = /[\r\n]+/g;

export interface Base64Rules {
  /** Takes last letters with bits that decoding drops, too: for files that were paid for. */
  isLenient?: boolean;
}

/** Decodes base64 of both alphabets that comes in pieces. Line breaks are passed over, and the padding at the end may be missing. */
export class Base64Decoder {
  readonly #onBytes: (bytes: Buffer) => void;
  readonly #isLenient: boolean;
  /** Less than four letters that are not decoded yet. */
  #rest = '';
  #isPadded = false;
  #isValid = true;
  #size = 0;

  constructor(onBytes: (bytes: Buffer) => void, { isLenient = false }: Base64Rules = {}) {
    this.#onBytes = onBytes;
    this.#isLenient = isLenient;
  }

  /** False: it is not base64, and nothing more of it is decoded. */
  push(text: string): boolean {
    if (!this.#isValid) return false;
    const letters = this.#rest + withoutLineBreaks(text);
    const end = letters.length - (letters.length % 4);
    this.#rest = letters.slice(end);
    this.#decode(letters.slice(0, end));
    return this.#isValid;
  }

  /** True when all of it was base64. */
  end(): boolean {
    const letters = this.#rest.replace(/=+$/, '');
    if (this.#rest !== '') this.#decode(letters.padEnd(4, EQUALS));
    return this.#isValid && this.#size > 0;
  }

  /** Full groups of four letters. What Node's decoder would skip makes them shorter. */
  #decode(letters: string): void {
    if (letters === '' || !this.#isValid) return;
    const padding = letters.endsWith('==') ? 2 : letters.endsWith(EQUALS) ? 1 : 0;
    const bytes = Buffer.from(letters, 'base64');
    const isWhole = bytes.length === (letters.length / 4) * 3 - padding;
    this.#isValid = !this.#isPadded && isWhole && (this.#isLenient || isStrict(letters, bytes, padding));
    if (!this.#isValid) return;
    this.#isPadded = padding > 0;
    this.#size += bytes.length;
    this.#onBytes(bytes);
  }
}

/** To search for one letter is cheaper than a pattern. */
function withoutLineBreaks(text: string): string {
  return text.includes(LINE_FEED) || text.includes(CARRIAGE_RETURN) ? text.replace(LINE_BREAKS, '') : text;
}

/** The last letters must not carry bits that decoding drops, or one file would have several spellings. */
function isStrict(letters: string, bytes: Buffer, padding: number): boolean {
  return padding === 0 || bytes.subarray(padding - 3).toString('base64') === usualBase64(letters.slice(-4));
}

/** Letters of the alphabet for URLs in the usual one, which vendors read. */
export function usualBase64(letters: string): string {
  return letters.replaceAll('-', '+').replaceAll('_', '/');
}
