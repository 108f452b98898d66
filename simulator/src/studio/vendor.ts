import { randomUUID } from 'node:crypto';
import { createJobStore } from '../jobs/job-store';
import type { Vendor, VendorTools } from '../vendor';
import type { CallSurroundings } from '../vendor-call/exchange';
import { factQuestion, vendorRouter } from '../vendor-call/vendor-router';
import { createClipStart, createJobQuery, createJobStop, MODELS } from './jobs';
import { studioWire } from './wire';

/** An in-house vendor of videos, as the guide to `http-job` describes it. */
export default function createStudio(tools: VendorTools, around: CallSurroundings): Vendor {
  const jobs = createJobStore<undefined>(tools.jobs, { wire: 'studio', newId: randomUUID, idDays: 7, linkDays: 1 });
  const { router, start, ask } = vendorRouter(studioWire, around);
  start('/v1/jobs', createClipStart(tools, jobs));
  ask('get', '/v1/jobs/:id', createJobQuery(jobs));
  ask('delete', '/v1/jobs/:id', createJobStop(jobs));
  ask('get', '/v1/models', models);
  return { wire: studioWire, around, router, stores: [jobs] };
}

const models = factQuestion(() => ({ status: 200, body: { models: MODELS } }));
