import { type FamilyProfile, workerService } from '@mediagate/worker-runtime';

/** A PNG of 3840x2160 has 25 MB at most. */
const IMAGE_BYTES = 32 * 1024 * 1024;

/** Image vendors answer within the call, in seconds to minutes. */
export const imageProfile: FamilyProfile = {
  family: 'image',
  concurrency: 16,
  bytesPerOutput: IMAGE_BYTES,
  // A channel's call may take 600 s unless its timeout_seconds says otherwise; storing what it brings takes the rest.
  drainSeconds: 630,
  checks: { fromMs: 2000, toMs: 10_000 },
  resultRoles: ['image'],
  describeResult: (outputs) => ({
    images: outputs.map(({ url, expiresAt }) => ({ url: [url], expires_at: Math.floor(expiresAt.getTime() / 1000) })),
  }),
};

export const service = workerService(imageProfile);
