import { inEnglish, type Message } from '@mediagate/contracts';
export interface DocumentFacts {
  /** The types that the bytes may be: more than one where the bytes do not distinguish formats, as text and Markdown. */
  contentTypes: readonly [string, ...string[]];
  /** Only where the file itself gives the number. */
  pages?: number;
}

/** A document that is broken, or that nobody should unfold. Callers may read the problem. */
export class DocumentError extends Error {
  readonly problem: Message;

  constructor(problem: Message, options?: ErrorOptions) {
    super(inEnglish(problem), options);
    this.name = 'DocumentError';
    this.problem = problem;
  }
}
