import { type FamilyProfile, type StoredOutput, workerService } from '@mediagate/worker-runtime';

/**
 * Video vendors accept at once and work for minutes: a task is in flight only for moments, while it is started, checked, or
 * its result stored. The concurrency is high because a vendor that does not answer occupies a slot for as long as a call may
 * take; results being stored have a limit of their own, in bytes.
 */
export const videoProfile: FamilyProfile = {
  family: 'video',
  concurrency: 256,
  // Fetching, checking and storing the result of a job that has just ended; starting or checking takes seconds.
  drainSeconds: 330,
  checks: { fromMs: 2000, toMs: 10_000 },
  resultRoles: ['video'],
  describeResult: (outputs) => ({ videos: outputs.filter(({ role }) => role === 'video').map(describe) }),
};

export const service = workerService(videoProfile);

function describe({ url, expiresAt, seconds, width, height, coverUrl }: StoredOutput) {
  return {
    url: [url],
    expires_at: Math.floor(expiresAt.getTime() / 1000),
    ...(seconds === undefined ? {} : { duration: seconds }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(coverUrl === undefined ? {} : { cover_url: coverUrl }),
  };
}
