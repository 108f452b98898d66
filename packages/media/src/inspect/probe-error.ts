import type { Message } from '@mediagate/contracts';

/** The file is not what it seems, or nobody can tell what it is. */
export class ProbeError extends Error {
  /** Perhaps only because the machine is busy. */
  readonly tookTooLong: boolean;
  /** What callers may read about it. */
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
