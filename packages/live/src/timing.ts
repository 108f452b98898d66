/** The pace of a deployment's live tasks, in milliseconds; both sides must have the same. */
export interface LiveTiming {
  /** How long a worker asks who waits for a task before it takes the caller for gone. */
  meetMs: number;
  /** Between two messages of an API process to each worker it has tasks with: what callers took, and that it lives. */
  pulseMs: number;
  /** Between two signs of life of a worker to each API process it has tasks for. */
  beatMs: number;
  /** Who has not been heard of for so long is frozen or cut off. */
  silenceMs: number;
}

export const DEFAULT_TIMING: LiveTiming = { meetMs: 1000, pulseMs: 250, beatMs: 1000, silenceMs: 5000 };

export interface LiveOptions {
  redisUrl: string;
  /** Separates deployments, and test files, that share a Redis; as in `@mediagate/queue`. */
  prefix?: string;
  /** Called for what happens in the background; answers that it cuts off are told so themselves. */
  onError?(error: Error): void;
  timing?: Partial<LiveTiming>;
}
