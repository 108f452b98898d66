import type { JobStoreOptions } from './jobs/job-store';
import { findTrackFile } from './music/music-files';
import type { MusicTools } from './music/music-tools';
import { createTtapiJobs } from './ttapi/jobs';
import { ttapiRoutes } from './ttapi/routes';
import { ttapiWire } from './ttapi/wire';
import type { Vendor } from './vendor';
import type { CallSurroundings } from './vendor-call/exchange';

type JobOptions = Pick<JobStoreOptions, 'clock' | 'jobMs' | 'concurrentJobs'>;

/** The vendors who make songs. */
export function createMusicVendors(
  tools: MusicTools,
  jobOptions: JobOptions,
  surroundings: () => CallSurroundings,
): Vendor[] {
  return [ttapi].map((create) => create(tools, jobOptions, surroundings()));
}

function ttapi(tools: MusicTools, jobOptions: JobOptions, around: CallSurroundings): Vendor {
  const jobs = createTtapiJobs(jobOptions);
  const router = ttapiRoutes(tools, jobs, around);
  const findFile = (name: string) => findTrackFile(name, { jobs, studio: tools.studio });
  return { wire: ttapiWire, around, router, stores: [jobs], findFile };
}
