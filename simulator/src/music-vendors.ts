import type { JobStoreOptions } from './jobs/job-store';
import { findTrackFile } from './music/music-files';
import type { MusicTools } from './music/music-tools';
import { createSunoapiJobs } from './sunoapi/jobs';
import { sunoapiRoutes } from './sunoapi/routes';
import { sunoapiWire } from './sunoapi/wire';
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
  return [ttapi, sunoapi].map((create) => create(tools, jobOptions, surroundings()));
}

function ttapi(tools: MusicTools, jobOptions: JobOptions, around: CallSurroundings): Vendor {
  const jobs = createTtapiJobs(jobOptions);
  const router = ttapiRoutes(tools, jobs, around);
  const findFile = (name: string) => findTrackFile(name, { jobs, studio: tools.studio });
  return { wire: ttapiWire, around, router, stores: [jobs], findFile };
}

function sunoapi(tools: MusicTools, jobOptions: JobOptions, around: CallSurroundings): Vendor {
  const jobs = createSunoapiJobs(jobOptions);
  const router = sunoapiRoutes(tools, jobs, around);
  const findFile = (name: string) => findTrackFile(name, { jobs, studio: tools.studio });
  return { wire: sunoapiWire, around, router, stores: [jobs], findFile };
}
