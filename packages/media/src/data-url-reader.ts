import { Base64Decoder } from './base64-decoder';
import { type DataUrlPrefix, readDataUrlPrefix } from './data-url-prefix';

/** A file that came as a data URL; judged once it is known what it is for. */
export interface InlineFile {
  /** As the URL declares it. */
  contentType: string;
  /** Undefined: it is not base64. */
  bytes: Buffer | undefined;
}

const BACKSLASH = '\\';
/** Characters that are decoded at once: pieces of single bytes would cost a buffer each. */
const MIN_PIECE = 8192;
/** Characters of an escape in JSON: a backslash, `u` and four digits. */
const LONGEST_ESCAPE = 6;

/**
 * Decodes a data URL that comes in pieces, as the content of a string of JSON: escapes are resolved. It takes what `decodeDataUrl` takes;
 * what is not base64 is dropped, and reported at the end.
 */
export class DataUrlReader {
  readonly contentType: string;
  readonly #decoder: Base64Decoder;
  /** Text that is not decoded yet, because it is too short or may begin an escape. */
  #text = '';
  #isValid = true;

  /** Undefined where the string does not begin as a data URL. */
  static begin(head: string, onBytes: (bytes: Buffer) => void): DataUrlReader | undefined {
    const cut = escapeStart(head);
    const resolved = resolveEscapes(head.slice(0, cut));
    const prefix = resolved === undefined ? undefined : readDataUrlPrefix(resolved);
    if (resolved === undefined || prefix === undefined) return undefined;
    const reader = new DataUrlReader(prefix, onBytes);
    reader.#decode(resolved.slice(prefix.length));
    reader.push(head.slice(cut));
    return reader;
  }

  private constructor({ contentType }: DataUrlPrefix, onBytes: (bytes: Buffer) => void) {
    this.contentType = contentType;
    this.#decoder = new Base64Decoder(onBytes);
  }

  push(piece: string): void {
    if (!this.#isValid) return;
    this.#text += piece;
    if (this.#text.length >= MIN_PIECE) this.#resolve(escapeStart(this.#text));
  }

  /** True when all of it was base64. */
  end(): boolean {
    this.#resolve(this.#text.length);
    return this.#isValid && this.#decoder.end();
  }

  /** Decodes the text up to here. */
  #resolve(cut: number): void {
    const text = resolveEscapes(this.#text.slice(0, cut));
    this.#text = this.#text.slice(cut);
    this.#decode(text);
  }

  #decode(text: string | undefined): void {
    this.#isValid = this.#isValid && text !== undefined && this.#decoder.push(text);
    if (!this.#isValid) this.#text = '';
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
