import type { StreamTiming } from '@mediagate/streams';

/** Quicker than a deployment's, so that a test need not wait for who is silent. */
export const liveTiming: StreamTiming = {
  answerWithinMs: 500,
  apiHeartbeatMs: 50,
  workerHeartbeatMs: 100,
  silenceMs: 600,
};
