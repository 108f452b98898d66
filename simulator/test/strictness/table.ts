/** How strict the simulator is as one vendor: what it refuses and what it takes, each a change of one good request. */
export interface Strictness {
  /** The folder of the vendor, and which of its calls. */
  name: string;
  /** The request that these fields make. */
  request(fields: Fields): VendorRequest;
  /** Fields that the vendor takes. */
  good: Fields;
  /** The answer to what is refused, by the words that a row has for it. */
  refusal(...words: string[]): object;
  /** A field that is undefined is left out. */
  refuses: readonly [what: string, change: object, ...words: string[]][];
  takes?: readonly [what: string, change: object, outcome: object][];
  /** Good fields in another request: another key, path or body. */
  requests?: readonly [what: string, change: Partial<VendorRequest>, outcome: object][];
}

/**
 * In a text, `{url a.png}` stands for a link to a file of `files.ts`, `{base64 a.png}` and `{data a.png}` for its bytes as text
 * and as a data URL, and `{ttapi track}` for a track that the vendor has made.
 */
export type Fields = Record<string, unknown>;

export interface VendorRequest {
  path: string;
  headers: Record<string, string>;
  /** A text is sent as it is. */
  body?: unknown;
  /** Files of `files.ts` by field and type, with the fields of the body in a form. */
  files?: readonly [field: string, name: string, type?: string][] | undefined;
}
