import { createDashscopeJobs, dashscopeRoutes } from './dashscope/routes';
import { dashscopeWire } from './dashscope/wire';
import type { JobStoreOptions } from './jobs/job-store';
import type { VideoTools } from './jobs/video-tools';
import { createKlingAccount } from './kling/account';
import { klingRoutes } from './kling/routes';
import { klingWire } from './kling/wire';
import type { FilmStudio } from './media/film/film-studio';
import { createMinimaxJobs, minimaxRoutes } from './minimax/routes';
import { minimaxWire } from './minimax/wire';
import { createSkyreelsJobs, skyreelsRoutes } from './skyreels/routes';
import { skyreelsWire } from './skyreels/wire';
import type { Vendor } from './vendor';
import type { CallSurroundings } from './vendor-call/exchange';

type Tools = VideoTools & { studio: FilmStudio };
type JobOptions = Pick<JobStoreOptions, 'clock' | 'jobMs' | 'concurrentJobs'>;

/** The vendors who answer with the id of a job. */
export function createVideoVendors(
  tools: Tools,
  jobOptions: JobOptions,
  surroundings: () => CallSurroundings,
): Vendor[] {
  return [dashscope, minimax, kling, skyreels].map((create) => create(tools, jobOptions, surroundings()));
}

function dashscope(tools: Tools, jobOptions: JobOptions, around: CallSurroundings): Vendor {
  const jobs = createDashscopeJobs(jobOptions);
  return { wire: dashscopeWire, around, router: dashscopeRoutes(tools, jobs, around), stores: [jobs] };
}

function minimax(tools: Tools, jobOptions: JobOptions, around: CallSurroundings): Vendor {
  const jobs = createMinimaxJobs(jobOptions);
  return { wire: minimaxWire, around, router: minimaxRoutes(tools, jobs, around), stores: [jobs] };
}

function kling(tools: Tools, jobOptions: JobOptions, around: CallSurroundings): Vendor {
  const account = createKlingAccount(jobOptions);
  const stores = [account.videos, account.elements];
  return { wire: klingWire, around, router: klingRoutes(tools, account, around), stores };
}

function skyreels(tools: Tools, jobOptions: JobOptions, around: CallSurroundings): Vendor {
  const jobs = createSkyreelsJobs(jobOptions);
  return { wire: skyreelsWire, around, router: skyreelsRoutes(tools, jobs, around), stores: [jobs] };
}
