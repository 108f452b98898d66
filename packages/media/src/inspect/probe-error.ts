import type { Message } from '@mediagate/contracts';

/** The file is not what it seems, or nobody can tell what it is. */
export class ProbeError extends Error {
  /** The probe took too long, perhaps only because the machine is busy. */
  readonly tookTooLong: boolean;
  /** The problem in words that callers may read. */
  readonly problem: Message | undefined;

  constructor(
    detail: string,
    { tookTooLong = false, problem }: { tookTooLong?: boolean; problem?: Message | undefined } = {},
  ) {
    super(detail);
    this.name = 'ProbeError';
    this.tookTooLong = tookTooLong;
    this.problem = problem;
  }
}
