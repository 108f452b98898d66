import type { MediaBytes } from '@mediagate/contracts';
import { Base64String, escapeStart, resolveEscapes } from '@mediagate/egress';
import { readDataUrlPrefix } from './data-url-prefix';

/** A file that came as a data URL; judged once it is known what it is for. */
export interface InlineFile {
  /** As the URL declares it. */
  contentType: string;
  /** Undefined: it is not base64. */
  bytes: MediaBytes | undefined;
  /** All of it in memory. Throws where the process may not hold so much. */
  read(): Promise<Buffer>;
}

/**
 * Decodes a data URL that comes in pieces, as the content of a string of JSON: escapes are resolved. It takes what `decodeDataUrl` takes;
 * what is not base64 is dropped, and reported at the end.
 */
export class DataUrlReader {
  readonly contentType: string;
  readonly #base64: Base64String;

  /** Undefined where the string does not begin as a data URL. */
  static begin(head: string, onBytes: (bytes: Buffer) => void): DataUrlReader | undefined {
    const cut = escapeStart(head);
    const resolved = resolveEscapes(head.slice(0, cut));
    const prefix = resolved === undefined ? undefined : readDataUrlPrefix(resolved);
    if (resolved === undefined || prefix === undefined) return undefined;
    const base64 = new Base64String(onBytes, {}, resolved.slice(prefix.length));
    base64.push(head.slice(cut));
    return new DataUrlReader(prefix.contentType, base64);
  }

  private constructor(contentType: string, base64: Base64String) {
    this.contentType = contentType;
    this.#base64 = base64;
  }

  push(piece: string): void {
    this.#base64.push(piece);
  }

  /** True when all of it was base64. */
  end(): boolean {
    return this.#base64.end();
  }
}
