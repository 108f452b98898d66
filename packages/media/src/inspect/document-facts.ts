export interface DocumentFacts {
  /** What the bytes may be: more than one where formats cannot be told apart, as text and Markdown. */
  contentTypes: readonly [string, ...string[]];
  /** Where the file itself says it. */
  pages?: number;
}

/** A document that is broken, or that nobody should unfold. The message is fit for the caller. */
export class DocumentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DocumentError';
  }
}
