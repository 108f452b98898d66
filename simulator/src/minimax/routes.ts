import { randomInt } from 'node:crypto';
import { Router } from 'express';
import { createJobStore, type JobStore, type JobStoreOptions } from '../jobs/job-store';
import type { VideoTools } from '../jobs/video-tools';
import type { VideoStudio } from '../media/video/video-studio';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { createFileRetrieval, createTaskQuery } from './tasks';
import { createVideoGeneration } from './video-generation';
import { minimaxWire } from './wire';

const HOUR_MS = 60 * 60 * 1_000;

export function createMinimaxJobs(
  options: Pick<JobStoreOptions, 'clock' | 'jobMs' | 'concurrentJobs'>,
): JobStore<undefined> {
  return createJobStore({
    ...options,
    wire: 'minimax',
    newId: () => `${Date.now()}${randomInt(100_000, 1_000_000)}`,
    idLifetimeMs: 7 * 24 * HOUR_MS,
    linkLifetimeMs: 9 * HOUR_MS,
  });
}

/** Below `/minimax`. */
export function minimaxRoutes(
  tools: VideoTools & { studio: VideoStudio },
  jobs: JobStore<undefined>,
  around: CallSurroundings,
): Router {
  const router = Router();
  router.post('/v1/video_generation', serveVendorCall(minimaxWire, createVideoGeneration(tools, jobs), around));
  router.get('/v1/query/video_generation', serveQuestion(minimaxWire, createTaskQuery(jobs, tools.clock), around));
  router.get('/v1/files/retrieve', serveQuestion(minimaxWire, createFileRetrieval(jobs, tools.studio), around));
  return router;
}
