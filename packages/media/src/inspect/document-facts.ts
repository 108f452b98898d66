import { inEnglish, type Message } from '@mediagate/contracts';
export interface DocumentFacts {
  /** What the bytes may be: more than one where the bytes do not distinguish formats, as text and Markdown. */
  contentTypes: readonly [string, ...string[]];
  /** Where the file itself says it. */
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
