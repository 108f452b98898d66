import type { LiveTiming } from '@mediagate/live';

/** Quicker than a deployment's, so that a test need not wait for who is silent. */
export const liveTiming: LiveTiming = { meetMs: 500, pulseMs: 50, beatMs: 100, silenceMs: 600 };
