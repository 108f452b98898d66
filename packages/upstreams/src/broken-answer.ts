/**
 * Why an answer that had begun is not complete: the caller's signal, the reader's deadline, the vendor's silence, an end before its
 * end, more bytes than were asked for, or no byte at all.
 */
export class BrokenAnswerError extends Error {
  readonly why: 'aborted' | 'deadline' | 'stalled' | 'cut' | 'too_large' | 'empty';
  /** The system's error code, as `ECONNRESET`; never an address, a header or a body. */
  readonly code: string | undefined;

  constructor(why: BrokenAnswerError['why'], code?: string) {
    super(`the answer broke off: ${why}${code === undefined ? '' : ` ${code}`}`);
    this.name = 'BrokenAnswerError';
    this.why = why;
    this.code = code;
  }
}
