import type { TaskId } from '@mediagate/contracts';

/** A worker's hold on a task: what every fenced write names. */
export interface Claim {
  id: TaskId;
  fence: number;
}

export interface OwnedClaim extends Claim {
  accountId: string;
}
