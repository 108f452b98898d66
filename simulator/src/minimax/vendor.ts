import { randomInt } from 'node:crypto';
import { Router } from 'express';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { serveVendorCall } from '../vendor-call/serve';
import { serveQuestion } from '../vendor-call/serve-question';
import { createFileRetrieval, createTaskQuery } from './tasks';
import { createVideoGeneration } from './video-generation';
import { minimaxWire } from './wire';

const HOUR_MS = 60 * 60 * 1_000;

/** Videos, by jobs that are asked about. */
export default function createMinimax(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<undefined>({
    ...tools.jobs,
    wire: 'minimax',
    newId: () => `${Date.now()}${randomInt(100_000, 1_000_000)}`,
    idLifetimeMs: 7 * 24 * HOUR_MS,
    linkLifetimeMs: 9 * HOUR_MS,
  });
  const router = Router();
  router.post('/v1/video_generation', serveVendorCall(minimaxWire, createVideoGeneration(tools, jobs), around));
  router.get('/v1/query/video_generation', serveQuestion(minimaxWire, createTaskQuery(jobs, tools.clock), around));
  router.get('/v1/files/retrieve', serveQuestion(minimaxWire, createFileRetrieval(jobs, tools.videos), around));
  return { wire: minimaxWire, around, router, stores: [jobs] };
}
