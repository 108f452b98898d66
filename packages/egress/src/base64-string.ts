import { Base64Decoder, type Base64Rules } from './base64-decoder';

const BACKSLASH = '\\';
/** Characters that are decoded at once: pieces of single bytes would cost a buffer each. */
const MIN_PIECE = 8192;
/** Characters of an escape in JSON: a backslash, `u` and four digits. */
const LONGEST_ESCAPE = 6;

/** Decodes base64 that is the content of a string of JSON and comes in pieces: escapes are resolved. What is not base64 is dropped. */
export class Base64String {
  readonly #decoder: Base64Decoder;
  /** Text that is not decoded yet, because it is too short or may begin an escape. */
  #text = '';
  #isValid = true;

  /** @param resolved the beginning, whose escapes are resolved. */
  constructor(onBytes: (bytes: Buffer) => void, rules?: Base64Rules, resolved = '') {
    this.#decoder = new Base64Decoder(onBytes, rules);
    this.#decode(resolved);
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
export function escapeStart(text: string): number {
  const at = text.indexOf(BACKSLASH, Math.max(0, text.length - LONGEST_ESCAPE + 1));
  return at < 0 ? text.length : at;
}

/** Undefined: not even an escape, so it is no base64 either. */
export function resolveEscapes(text: string): string | undefined {
  if (!text.includes(BACKSLASH)) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}
