import { randomInt } from 'node:crypto';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { vendorRouter } from '../vendor-call/vendor-router';
import { createFileRetrieval, createTaskQuery } from './tasks';
import { createVideoGeneration } from './video-generation';
import { minimaxWire } from './wire';

/** Videos, by jobs that are asked about. */
export default function createMinimax(tools: VendorTools, around: CallSurroundings): Vendor {
  const newId = () => `${Date.now()}${randomInt(100_000, 1_000_000)}`;
  const jobs = createJobStore<undefined>(tools.jobs, { wire: 'minimax', newId, idDays: 7, linkDays: 9 / 24 });
  const { router, start, ask } = vendorRouter(minimaxWire, around);
  start('/v1/video_generation', createVideoGeneration(tools, jobs));
  ask('get', '/v1/query/video_generation', createTaskQuery(jobs, tools.clock));
  ask('get', '/v1/files/retrieve', createFileRetrieval(jobs, tools.videos));
  return { wire: minimaxWire, around, router, stores: [jobs] };
}
