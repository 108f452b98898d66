import type { FamilyProfile } from '@mediagate/worker-runtime';

/**
 * Speech is live: it goes to the caller as the vendor makes it, and nothing of it is kept. A task is in hand from its claim
 * to the last byte that its caller takes, and does nothing but wait all the while, so that there may be many.
 */
export const ttsProfile: FamilyProfile = {
  family: 'tts',
  concurrency: 256,
  // A long text, at the pace of a caller who plays it while it comes.
  drainSeconds: 330,
  // No vendor of speech accepts a job to be asked about.
  checks: { fromMs: 1000, toMs: 1000 },
  describeResult: () => ({}),
};
