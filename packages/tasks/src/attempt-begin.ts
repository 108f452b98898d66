import type { TaskId } from '@mediagate/contracts';

/** A worker's hold on a task: what every fenced write names. */
export interface Claim {
  id: TaskId;
  fence: number;
}

export interface AttemptBegin {
  attemptId: string;
  channelId: string;
  protocol: string;
  /** Attempts in state starting or accepted that the channel may have at once; undefined: no limit. */
  maxConcurrency: number | undefined;
}
