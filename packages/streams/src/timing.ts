/** Times of a deployment's streams, in milliseconds. API and workers must have the same. */
export interface StreamTiming {
  /** A worker that gets no answer to its question within this time takes the caller for gone. */
  answerWithinMs: number;
  /** Between two heartbeats of an API process to each worker it receives from; they carry acknowledgements. */
  apiHeartbeatMs: number;
  /** Between two heartbeats of a worker to each API process it sends to. */
  workerHeartbeatMs: number;
  /** A process that has sent nothing for this long is taken for frozen or cut off. */
  silenceMs: number;
}

export const DEFAULT_TIMING: StreamTiming = {
  answerWithinMs: 1000,
  apiHeartbeatMs: 250,
  workerHeartbeatMs: 1000,
  silenceMs: 5000,
};

export interface StreamOptions {
  redisUrl: string;
  /** Separates deployments, and test files, that share a Redis; as in `@mediagate/queue`. */
  prefix?: string;
  /** Called for errors in the background. Streams that they cut off end with an event of their own. */
  onError?(error: Error): void;
  timing?: Partial<StreamTiming>;
}
