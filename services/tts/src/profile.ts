import { type FamilyProfile, workerService } from '@mediagate/worker-runtime';

/**
 * Speech is synchronous: it goes to the caller as the vendor makes it, and nothing of it is stored. A task is in flight from
 * its claim to the last byte that its caller takes, and only waits meanwhile, so there may be many.
 */
export const ttsProfile: FamilyProfile = {
  family: 'tts',
  concurrency: 256,
  // A long text, at the pace of a caller who plays it while it arrives.
  drainSeconds: 330,
  // No vendor of speech accepts a job to be asked about.
  checks: { fromMs: 1000, toMs: 1000 },
  resultRoles: [],
  describeResult: () => ({}),
};

export const service = workerService(ttsProfile);
