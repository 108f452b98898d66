import type { StreamTiming } from '@mediagate/streams';

/** Heartbeats as often as tests like it, and more patience than a busy machine can use up. */
export const streamTiming: StreamTiming = {
  answerWithinMs: 60_000,
  apiHeartbeatMs: 50,
  workerHeartbeatMs: 100,
  silenceMs: 60_000,
};

/** For who waits until the other side is given up. */
export const SHORT_SILENCE: Pick<StreamTiming, 'silenceMs'> = { silenceMs: 600 };
